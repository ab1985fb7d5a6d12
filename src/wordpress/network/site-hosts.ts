import type { Database, Db } from '../../db/database.ts'
import { polylangSettings } from '../languages/polylang-settings.ts'
import { readOption } from '../options/read-options.ts'
import { type Address, parseUrl } from '../permalinks/address.ts'
import { storedArray } from '../serialized/stored-value.ts'
import {
  findBlogs,
  findBlogsByAddress,
  listSites,
  readHome,
  siteIfInstalled,
} from './find-sites.ts'
import { claimKey, type RecordedClaims, readRecordedClaims, recordClaims } from './host-claims.ts'
import { type BlogRow, type GlobalTables, isClosed, type Site } from './site.ts'

/**
 * Lifetime of the cached hosts, in milliseconds: a new domain works after a minute at most, and requests with unknown hosts cost nothing
 * meanwhile.
 */
const CACHE_MS = 60_000

/** A host of a site, or a host that a site claims. */
type SiteHost = {
  /** A host, or `*.` and the part after a language code. */
  readonly host: string
  /** The path of the site's home, which may differ from the path in `blogs`. */
  readonly path: string
  /** The host of the site's home. Sites of one group share hosts by their paths. */
  readonly group: string
  readonly blogId: number
  /** Whether the network's administrators set the host: it is the host of the site's home, or the host in `blogs`. */
  readonly isListed: boolean
  /** Whether visitors can see the site. */
  readonly isOpen: boolean
}

/** A host with the time since when it is claimed. */
export type DatedHost = SiteHost & {
  /** Sorts by time: '' for hosts that the network lists, `UNRECORDED` for a claim that is not recorded yet. */
  readonly since: string
}

const UNRECORDED = '9999'

/**
 * Hosts that are not in the table `blogs`: those of the sites' homes, and those that Polylang assigns to languages, as domains or
 * subdomains. They are in the options of each site, so all sites are read at once, and not for each request.
 *
 * Only the network's administrators set a site's home; each site's own administrators set the hosts of its languages (Polylang's settings).
 * So a host that the network lists never belongs to another site's languages. Any other host belongs to the site that claimed it first
 * (table `svc_hosts`): a later claim of another site has no effect until the first one is withdrawn.
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
   * The row of `blogs` of the site at an address. Of several sites on one host, the one with the longest path that contains the address.
   * @param since values read before this time are read again, in milliseconds of `performance.now()`
   */
  async find(address: Address, since?: number): Promise<BlogRow | undefined> {
    const [found] = await this.findAll([address], since)
    return found
  }

  /** Like `find` for each of these addresses, in order, with as many statements as for one. */
  async findAll(addresses: readonly Address[], since = 0): Promise<(BlogRow | undefined)[]> {
    if (addresses.length === 0) return []
    const hosts = await this.#read(since)
    const owners = new Map<string, HostOwners>()
    const found = addresses.map(({ host, segments: names }) => {
      const { holders, oldest } = owners.get(host) ?? resolveHostOwners(host, hosts)
      owners.set(host, { holders, oldest })
      const path = `/${names.join('/')}/`.toLowerCase()
      const above = holders.filter((entry) => path.startsWith(entry.path))
      const [longest] = above.sort((a, b) => b.path.length - a.path.length)
      return longest ?? oldest
    })
    const ids = new Set(found.flatMap((entry) => entry?.blogId ?? []))
    const blogs = await findBlogs(this.#db, this.#globals, [...ids])
    return found.map((entry) => entry && blogs.get(entry.blogId))
  }

  async #read(since: number): Promise<HostIndex> {
    // A monotonic clock: the system clock may be set back.
    const now = performance.now()
    const isFresh = now - this.#readAt <= CACHE_MS && this.#readAt > since
    if (this.#hosts === undefined || !isFresh) {
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

/** The hosts of all sites. New claims are not recorded. */
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
  /** The entries of the sites that own the host: one group, whose sites share it by their paths. */
  readonly holders: readonly DatedHost[]
  /** The oldest of them; undefined if several are equally old. */
  readonly oldest: DatedHost | undefined
}

/**
 * Determines the owner of a host. A host that sites of several groups first claimed at the same time has no owner, because no claim has
 * precedence. Claims of closed sites keep their age but have no effect.
 */
export function resolveHostOwners(host: string, hosts: HostIndex): HostOwners {
  const entries = hostEntries(host, hosts).filter(({ isOpen, isListed }) => isOpen || isListed)
  const since = entries.reduce(
    (first, entry) => (entry.since < first ? entry.since : first),
    UNRECORDED,
  )
  const first = entries.filter((entry) => entry.since === since)
  const [oldest] = first
  const groups = new Set(first.map(({ group }) => group))
  if (oldest === undefined || groups.size > 1) return { holders: [], oldest: undefined }
  const isOneSite = first.every(({ blogId }) => blogId === oldest.blogId)
  return {
    holders: entries.filter(
      ({ group, isListed }) => groups.has(group) && isListed === oldest.isListed,
    ),
    oldest: isOneSite ? oldest : undefined,
  }
}

/** The entries that match a host, exactly or as a subdomain. */
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

/** The site at an address, in any state: first by the network's list of sites, then by the sites' own settings. */
export async function findSiteAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  address: Address,
): Promise<Site | undefined> {
  const [blog] = await findBlogsAt(db, globals, hosts, [address])
  return blog && siteIfInstalled(db, globals, blog)
}

/**
 * The rows of `blogs` of the sites at these addresses, in order, with as many statements as for one.
 * @param since see `SiteHosts.find`
 */
export async function findBlogsAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  addresses: readonly Address[],
  since?: number,
): Promise<(BlogRow | undefined)[]> {
  const wanted = addresses.map(({ host, segments }) => ({ host, paths: sitePaths(segments) }))
  const listed = await findBlogsByAddress(db, globals, wanted)
  const unlisted = addresses.filter((_, at) => listed[at] === undefined)
  const others = (await hosts.findAll(unlisted, since)).values()
  return listed.map((blog) => blog ?? others.next().value)
}

/** A network in a subfolder has its sites two levels deep; deeper networks do not occur. */
const MAX_SITE_PATH_SEGMENTS = 3

/**
 * The paths at which the site of an address may be, as stored in `blogs`: `/`, `/shop/`, `/shop/about/` (get_site_by_path, ms-load.php,
 * where the column's collation ignores case). Percent-encoded, as WordPress compares them.
 * @param segments the segments of the address's path
 */
export function sitePaths(names: readonly string[]): string[] {
  const encoded = names.slice(0, MAX_SITE_PATH_SEGMENTS).map(encodeURIComponent)
  const below = encoded.map((_, at) => `/${encoded.slice(0, at + 1).join('/')}/`)
  return [...new Set(['/', ...below, ...below.map((path) => path.toLowerCase())])]
}
