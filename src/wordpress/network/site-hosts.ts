import type { Database, Db } from '../../db/database.ts'
import { polylangSettings } from '../languages/polylang-settings.ts'
import { readOption } from '../options/read-options.ts'
import { type Address, parseUrl } from '../permalinks/address.ts'
import { storedArray } from '../serialized/stored-value.ts'
import { findBlog, findBlogByAddress, listSites, readHome, siteIfInstalled } from './find-sites.ts'
import { claimKey, type RecordedClaims, readRecordedClaims, recordClaims } from './host-claims.ts'
import { type BlogRow, type GlobalTables, isClosed, type Site } from './site.ts'

/** How long what was read holds, in milliseconds: a new domain works a minute later, and strange hosts cost nothing meanwhile. */
const CACHE_MS = 60_000

/** A host at which a site answers, or wants to. */
export type SiteHost = {
  /** A host, or `*.` and what follows the code of a language. */
  readonly host: string
  /** The path of the site's home, which may differ from the one in `blogs`. */
  readonly path: string
  /** Sites of one group share a host by their paths: the host of the site's home. */
  readonly group: string
  readonly blogId: number
  /** Set by the network's administrators: the host of the site's home, or the one in `blogs`. */
  readonly isListed: boolean
  /** The site is shown to visitors. */
  readonly isOpen: boolean
}

/** The same, with since when it is so. */
export type DatedHost = SiteHost & {
  /** Sorts by time: '' for what the network lists, `NEVER` for a claim that is not recorded yet. */
  readonly since: string
}

const UNRECORDED = '9999'

/**
 * Hosts that the table `blogs` doesn't know: those of the sites' homes, and those that Polylang gives to languages, as domains or
 * subdomains. They stand in the options of each site, so all sites are read at once, and not for each request.
 *
 * Only the network's administrators say where a site's home is; what hosts its languages have, the site's own say (Settings of Polylang).
 * So a host that the network lists is that of no other site's languages. Any other host belongs to the site that claimed it first (table
 * `svc_hosts`): a later claim of another site changes nothing until the first one is taken back.
 */
export class SiteHosts {
  readonly #db: Database
  readonly #globals: GlobalTables
  #hosts: Promise<HostIndex> | undefined
  #readAt = 0

  constructor(db: Database, globals: GlobalTables) {
    this.#db = db
    this.#globals = globals
  }

  /**
   * The row of `blogs` of the site at an address; of several on one host, that with the longest path above the address.
   * @param since what was read before this is read again, in milliseconds since 1970
   */
  async find({ host, segments: names }: Address, since = 0): Promise<BlogRow | undefined> {
    const path = `/${names.join('/')}/`.toLowerCase()
    const { holders, oldest } = resolveHostOwners(host, await this.#read(since))
    const above = holders.filter((entry) => path.startsWith(entry.path))
    const [longest] = above.sort((a, b) => b.path.length - a.path.length)
    const found = longest ?? oldest
    return found && findBlog(this.#db, this.#globals, found.blogId)
  }

  async #read(since: number): Promise<HostIndex> {
    const now = Date.now()
    const isHeld = now - this.#readAt <= CACHE_MS && this.#readAt > since
    if (this.#hosts === undefined || !isHeld) {
      this.#hosts = this.#readAll()
      this.#readAt = now
    }
    try {
      return await this.#hosts
    } catch (error) {
      this.#hosts = undefined
      throw error
    }
  }

  async #readAll(): Promise<HostIndex> {
    const recorded = await readRecordedClaims(this.#db, this.#globals)
    const hosts = await readHosts(this.#db, this.#globals)
    const claims = hosts.filter(({ isListed }) => !isListed)
    const sites = new Set(hosts.map(({ blogId }) => blogId))
    return indexOf(hosts, await recordClaims(this.#db, this.#globals, { claims, sites }, recorded))
  }
}

/** The hosts of all sites, without recording claims that are new. */
export async function readHostIndex(db: Db, globals: GlobalTables): Promise<HostIndex> {
  const recorded = await readRecordedClaims(db, globals)
  return indexOf(await readHosts(db, globals), recorded)
}

/** By host. */
export type HostIndex = ReadonlyMap<string, readonly DatedHost[]>

function indexOf(hosts: readonly SiteHost[], recorded: RecordedClaims): HostIndex {
  const index = new Map<string, DatedHost[]>()
  for (const host of hosts) {
    const since = host.isListed ? '' : (recorded.get(claimKey(host)) ?? UNRECORDED)
    const others = index.get(host.host)
    if (others) others.push({ ...host, since })
    else index.set(host.host, [{ ...host, since }])
  }
  return index
}

export type HostOwners = {
  /** The entries of the sites that have the host: of one group, which share it by their paths. */
  readonly holders: readonly DatedHost[]
  /** The first of them; undefined where several came at the same time. */
  readonly oldest: DatedHost | undefined
}

/**
 * Whose a host is. A host that sites of several groups were first seen to claim at the same time is nobody's: nothing says who is right.
 * Claims of closed sites keep their age and count for nothing meanwhile.
 */
export function resolveHostOwners(host: string, hosts: HostIndex): HostOwners {
  const here = hostEntries(host, hosts).filter(({ isOpen, isListed }) => isOpen || isListed)
  const since = here.reduce(
    (first, entry) => (entry.since < first ? entry.since : first),
    UNRECORDED,
  )
  const first = here.filter((entry) => entry.since === since)
  const [oldest] = first
  const groups = new Set(first.map(({ group }) => group))
  if (oldest === undefined || groups.size > 1) return { holders: [], oldest: undefined }
  const isOneSite = first.every(({ blogId }) => blogId === oldest.blogId)
  return {
    holders: here.filter(
      ({ group, isListed }) => groups.has(group) && isListed === oldest.isListed,
    ),
    oldest: isOneSite ? oldest : undefined,
  }
}

/** The entries that name a host, by itself or as a subdomain. */
export function hostEntries(host: string, hosts: HostIndex): readonly DatedHost[] {
  const wildcard = host.replace(/^[^.]+/, '*')
  const names = new Set([host, wildcard])
  return [...names].flatMap((name) => hosts.get(name) ?? [])
}

async function readHosts(db: Db, globals: GlobalTables): Promise<SiteHost[]> {
  const sites = await listSites(db, globals)
  return (await Promise.all(sites.map((site) => hostsOf(db, site)))).flat()
}

async function hostsOf(db: Db, site: Site): Promise<SiteHost[]> {
  const home = parseUrl(await readHome(db, site))
  if (!home) return []
  const common = { blogId: site.blogId, isOpen: !isClosed(site) }
  const path = `/${home.segments.map((name) => `${name}/`).join('')}`.toLowerCase()
  const listed = new Map([
    [site.domain, site.path.toLowerCase()],
    [home.host, path],
  ])
  const claimed = (await languageHosts(db, site, home.host)).filter((host) => !listed.has(host))
  return [
    ...[...listed].map(([host, path]) => ({ ...common, host, path, group: host, isListed: true })),
    ...claimed.map((host) => ({ ...common, host, path, group: home.host, isListed: false })),
  ]
}

async function languageHosts(db: Db, site: Site, home: string): Promise<string[]> {
  const { forceLang, domains } = polylangSettings(
    storedArray(await readOption(db, site, 'polylang')),
  )
  if (forceLang === 2) return [`*.${home.replace(/^www\./, '')}`]
  if (forceLang !== 3) return []
  const hosts = [...domains.values()].flatMap((url) => parseUrl(url)?.host ?? [])
  return [...new Set(hosts)]
}

/** The site that answers at an address, whatever its state: by the network's list of sites, else by the sites' own settings. */
export async function findSiteAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  address: Address,
): Promise<Site | undefined> {
  const blog = await findBlogAt(db, globals, hosts, address)
  return blog && siteIfInstalled(db, globals, blog)
}

/**
 * The row of `blogs` of the site that answers at an address.
 * @param since see `SiteHosts.find`
 */
export async function findBlogAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  address: Address,
  since?: number,
): Promise<BlogRow | undefined> {
  const listed = await findBlogByAddress(db, globals, address.host, sitePaths(address.segments))
  return listed ?? hosts.find(address, since)
}

/** Sites of networks that are themselves in a folder stand two levels deep; nobody nests networks further. */
const MAX_SITE_PATH_SEGMENTS = 3

/**
 * The paths at which the site of an address may stand, as `blogs` has them: `/`, `/shop/`, `/shop/about/` (get_site_by_path,
 * ms-load.php, where the column's collation makes case no matter). Percent-encoded, as WordPress compares them.
 * @param names the names of the address's path
 */
export function sitePaths(names: readonly string[]): string[] {
  const encoded = names.slice(0, MAX_SITE_PATH_SEGMENTS).map(encodeURIComponent)
  const below = encoded.map((_, at) => `/${encoded.slice(0, at + 1).join('/')}/`)
  return [...new Set(['/', ...below, ...below.map((path) => path.toLowerCase())])]
}
