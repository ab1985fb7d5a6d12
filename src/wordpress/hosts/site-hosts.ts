import type { Database, Db } from '../../db/database.ts'
import type { MarkVolatile } from '../../db/validated-reads.ts'
import type { Timings } from '../../host/timings.ts'
import {
  blogDomains,
  findBlog,
  findBlogByAddress,
  findBlogsByAddress,
  siteIfInstalled,
} from '../network/find-sites.ts'
import type { BlogRow, GlobalTables, Site } from '../network/site.ts'
import type { Address } from '../permalinks/address.ts'
import { readRecordedClaims, recordClaims } from './host-claims.ts'
import {
  type HostIndex,
  type HostOwners,
  hasHosts,
  hostEntries,
  indexHosts,
  readHosts,
  resolveHostOwners,
  type SiteHost,
} from './host-index.ts'
import { readNetworkVersion } from './network-version.ts'

/** The hosts of all sites as one process knows them. */
type KnownHosts = {
  readonly index: HostIndex
  /** The hosts in `blogs`, also those of sites without tables. */
  readonly domains: ReadonlySet<string>
  readonly hidden: ReadonlySet<number>
  /** The version of the network before the hosts were read, see `readNetworkVersion`. */
  readonly version: string
  /** When they were read, in milliseconds of `performance.now()`. */
  readonly readAt: number
  /** When the version was last read. */
  readonly checkedAt: number
}

/** What a build requires of the cached hosts. */
export type RequiredHosts = {
  /** The version of the network was read after this time, in milliseconds of `performance.now()`. */
  readonly since: number
  /** The hosts of the build's site as the build has read them: hosts that were cached before an edit of the site are read again. */
  readonly own: readonly SiteHost[]
}

/**
 * Hosts that are not in the table `blogs`: those of the sites' homes, and those that Polylang assigns to languages, as domains or
 * subdomains. They are in the options of each site, so all sites are read at once, and cached for a minute. One statement checks whether the
 * cached hosts are current; it is sent for a build, and at most twice a second for hosts that are unknown.
 *
 * Only the network's administrators set a site's home; each site's own administrators set the hosts of its languages (Polylang's settings).
 * So a host that the network lists never belongs to another site's languages. Any other host belongs to the site that claimed it first
 * (table `svc_hosts`): a later claim of another site has no effect until the first one is withdrawn.
 */
export class SiteHosts {
  readonly #db: Database
  readonly #globals: GlobalTables
  #known: KnownHosts | undefined
  #checking: Check | undefined
  #refreshing: Promise<void> | undefined
  /** Hosts that were read before this time are outdated, whatever their version. */
  #outdatedBefore = -1

  get #timings(): Timings['hosts'] {
    return this.#db.timings.hosts
  }

  constructor(db: Database, globals: GlobalTables) {
    this.#db = db
    this.#globals = globals
  }

  /** Reads the hosts before a request needs them. If it fails, the first request reads them. */
  async prepare(): Promise<void> {
    await this.#checkedAfter(0).catch(() => {})
  }

  /** Whether no site has a host. False also before the hosts were read for the first time. */
  async isUnknown(host: string): Promise<boolean> {
    if (this.#known === undefined || isKnown(host, this.#known)) return false
    return !isKnown(host, await this.#checkedAfter(performance.now() - this.#timings.checkedMs))
  }

  /** Whether a site is hidden from search engines, as it was a minute ago at the most; false before it was read. */
  isHiddenFromSearch(blogId: number): boolean {
    const known = this.#known
    if (known && performance.now() - known.readAt > this.#timings.refreshMs) this.#startRefresh()
    return known?.hidden.has(blogId) ?? false
  }

  /** The row of `blogs` of the site at an address. Of several sites on one host, the one with the longest path that contains the address. */
  async find(address: Address): Promise<BlogRow | undefined> {
    const [blogId] = await this.findAll([address])
    return blogId === undefined ? undefined : findBlog(this.#db, this.#globals, blogId)
  }

  /** The blog ids of the sites at these addresses, in order; see `find`. */
  async findAll(
    addresses: readonly Address[],
    required?: RequiredHosts,
  ): Promise<(number | undefined)[]> {
    if (addresses.length === 0) return []
    if (required) return ownersOf(addresses, (await this.#readFor(required)).index)
    const owners = ownersOf(addresses, (await this.#checkedAfter(0)).index)
    if (!owners.includes(undefined)) return owners
    return ownersOf(
      addresses,
      (await this.#checkedAfter(performance.now() - this.#timings.checkedMs)).index,
    )
  }

  async #readFor({ since, own }: RequiredHosts): Promise<KnownHosts> {
    const known = await this.#checkedAfter(since)
    if (hasHosts(known.index, own)) return known
    this.#outdatedBefore = performance.now()
    return this.#startCheck(this.#outdatedBefore).result
  }

  /** The hosts, as they were at this time or later. */
  #checkedAfter(time: number): Promise<KnownHosts> {
    // A monotonic clock: the system clock may be set back.
    const now = performance.now()
    const known = this.#known
    if (known && known.checkedAt >= time && now - known.readAt <= this.#timings.keptMs)
      return Promise.resolve(known)
    const running = this.#checking
    const check = running && running.startedAt >= time ? running : this.#startCheck(now)
    return check.result
  }

  /** Starts a check as soon as the one in progress has ended. */
  #startCheck(startedAt: number): Check {
    const before = Promise.resolve(this.#checking?.result).catch(() => {})
    const check = { startedAt, result: before.then(() => this.#check()) }
    this.#checking = check
    const end = () => {
      if (this.#checking === check) this.#checking = undefined
    }
    check.result.then(end, end)
    return check
  }

  async #check(): Promise<KnownHosts> {
    const checkedAt = performance.now()
    // Before the hosts: an edit that is committed meanwhile gives another version at the next check.
    const version = await readNetworkVersion(this.#db, this.#globals)
    const known = this.#known
    const isCurrent =
      known?.version === version &&
      known.readAt > this.#outdatedBefore &&
      checkedAt - known.readAt <= this.#timings.keptMs
    if (isCurrent && checkedAt - known.readAt > this.#timings.refreshMs) this.#startRefresh()
    this.#known = isCurrent
      ? { ...known, checkedAt }
      : { ...(await this.#readAll()), version, checkedAt, readAt: checkedAt }
    return this.#known
  }

  #startRefresh(): void {
    this.#refreshing ??= this.#refresh()
      // A request after the lifetime of the cached hosts reads them, and reports the error.
      .catch(() => {})
      .finally(() => {
        this.#refreshing = undefined
      })
  }

  async #refresh(): Promise<void> {
    const readAt = performance.now()
    const version = await readNetworkVersion(this.#db, this.#globals)
    const read = await this.#readAll()
    // A check may have read them later.
    const isNewer = this.#known === undefined || this.#known.readAt < readAt
    if (isNewer) this.#known = { ...read, version, checkedAt: readAt, readAt }
  }

  async #readAll(): Promise<Pick<KnownHosts, 'index' | 'domains' | 'hidden'>> {
    const recorded = await readRecordedClaims(this.#db, this.#globals)
    const { hosts, domains, hidden } = await readHosts(this.#db, this.#globals)
    const claims = hosts.filter(({ isListed }) => !isListed)
    const sites = new Set(hosts.map(({ blogId }) => blogId))
    const dated = await recordClaims(this.#db, this.#globals, { claims, sites }, recorded)
    return { index: indexHosts(hosts, dated), domains, hidden }
  }
}

/** A check in progress, or one that waits for the one in progress. */
type Check = {
  /** The hosts are at least as new, in milliseconds of `performance.now()`. */
  readonly startedAt: number
  readonly result: Promise<KnownHosts>
}

function isKnown(host: string, { index, domains }: KnownHosts): boolean {
  return (
    hostEntries(host, index).length > 0 || blogDomains(host).some((domain) => domains.has(domain))
  )
}

function ownersOf(addresses: readonly Address[], index: HostIndex): (number | undefined)[] {
  const owners = new Map<string, HostOwners>()
  return addresses.map(({ host, segments: names }) => {
    const { holders, oldest } = owners.get(host) ?? resolveHostOwners(host, index)
    owners.set(host, { holders, oldest })
    const path = `/${names.join('/')}/`.toLowerCase()
    const above = holders.filter((entry) => path.startsWith(entry.path))
    const [longest] = above.sort((a, b) => b.path.length - a.path.length)
    return (longest ?? oldest)?.blogId
  })
}

/**
 * The site at an address, in any state: first by the network's list of sites, then by the sites' own settings.
 * @param markVolatile is called if the site was not found by the rows that `db` reads, but by `hosts`
 */
export async function findSiteAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  address: Address,
  markVolatile: MarkVolatile = (hosts) => hosts,
): Promise<Site | undefined> {
  if (await hosts.isUnknown(address.host)) return undefined
  const { host, segments } = address
  const listed = await findBlogByAddress(db, globals, host, sitePaths(segments))
  const blog = listed ?? (await markVolatile(hosts).find(address))
  return blog && siteIfInstalled(db, globals, blog)
}

/** The blog ids of the sites at these addresses, in order, as `findSiteAt` finds them, with as many statements as for one. */
export async function findBlogIdsAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  addresses: readonly Address[],
  required: RequiredHosts,
): Promise<(number | undefined)[]> {
  const wanted = addresses.map(({ host, segments }) => ({ host, paths: sitePaths(segments) }))
  const listed = await findBlogsByAddress(db, globals, wanted)
  const unlisted = addresses.filter((_, index) => listed[index] === undefined)
  const others = (await hosts.findAll(unlisted, required)).values()
  return listed.map((blog) => (blog ? blog.blog_id : others.next().value))
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
  const below = encoded.map((_, index) => `/${encoded.slice(0, index + 1).join('/')}/`)
  return [...new Set(['/', ...below, ...below.map((path) => path.toLowerCase())])]
}
