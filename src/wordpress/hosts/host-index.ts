import type { Db } from '../../db/database.ts'
import { groupBy } from '../../host/group-by.ts'
import { type PolylangSettings, polylangSettings } from '../languages/polylang-settings.ts'
import { homeIn, listBlogs } from '../network/find-sites.ts'
import { type GlobalTables, isClosed, type Site, siteOf } from '../network/site.ts'
import { readOptionsOfSites, type WantedOption } from '../options/read-options-of-sites.ts'
import { isHiddenFromSearch } from '../options/search-engines.ts'
import { parsePageUrl } from '../permalinks/address.ts'
import { storedArray } from '../stored-value.ts'
import { claimKey, type RecordedClaims, readRecordedClaims } from './host-claims.ts'

/** A host of a site, or a host that a site claims. */
export type SiteHost = {
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

/** The hosts of all sites, by host. */
export type HostIndex = ReadonlyMap<string, readonly DatedHost[]>

/** The hosts of all sites. New claims are not recorded. */
export async function readHostIndex(db: Db, globals: GlobalTables): Promise<HostIndex> {
  const recorded = await readRecordedClaims(db, globals)
  return indexHosts((await readHosts(db, globals)).hosts, recorded)
}

export function indexHosts(hosts: readonly SiteHost[], recorded: RecordedClaims): HostIndex {
  const dated = hosts.map((host): DatedHost => {
    const since = host.isListed ? '' : (recorded.get(claimKey(host)) ?? UNRECORDED)
    return { ...host, since }
  })
  return groupBy(dated, ({ host }) => host)
}

/** Whether the index has all these hosts. */
export function hasHosts(index: HostIndex, hosts: readonly SiteHost[]): boolean {
  return hosts.every((host) => index.get(host.host)?.some((entry) => isSameHost(entry, host)))
}

function isSameHost(a: SiteHost, b: SiteHost): boolean {
  return (
    a.blogId === b.blogId &&
    a.path === b.path &&
    a.group === b.group &&
    a.isListed === b.isListed &&
    a.isOpen === b.isOpen
  )
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

export type NetworkHosts = {
  readonly hosts: readonly SiteHost[]
  /** The hosts in `blogs`, also those of sites without tables. */
  readonly domains: ReadonlySet<string>
  /** The blog ids of the sites that are hidden from search engines. */
  readonly hidden: ReadonlySet<number>
}

/**
 * Polylang's settings are in an option of a kilobyte. It is transferred if it assigns hosts to languages: `force_lang` is 2 or 3, a text in
 * old versions.
 */
const HOST_OPTIONS: readonly WantedOption[] = [
  'home',
  'siteurl',
  'blog_public',
  {
    name: 'polylang',
    containing: ['i:2;', 'i:3;', 's:', 'd:'].map((value) => `"force_lang";${value}`),
  },
]

/** Reads the hosts of all sites whose tables can be read: two statements, and one for 200 sites. */
export async function readHosts(db: Db, globals: GlobalTables): Promise<NetworkHosts> {
  const blogs = await listBlogs(db, globals)
  const sites = blogs
    .filter(({ isInstalled }) => isInstalled)
    .map(({ row }) => siteOf(globals, row))
  const options = await readOptionsOfSites(db, sites, HOST_OPTIONS)
  const hosts = sites.flatMap((site) => {
    const ofSite = options.get(site.blogId)
    if (!ofSite) return []
    return hostsOfSite(site, homeIn(ofSite), polylangSettings(storedArray(ofSite.get('polylang'))))
  })
  const hidden = sites.filter(({ blogId }) => {
    const ofSite = options.get(blogId)
    return ofSite !== undefined && isHiddenFromSearch(ofSite.get('blog_public'))
  })
  return {
    hosts,
    domains: new Set(blogs.map(({ row }) => row.domain.toLowerCase())),
    hidden: new Set(hidden.map(({ blogId }) => blogId)),
  }
}

/** The hosts of a site; none if its home is not a URL. */
export function hostsOfSite(site: Site, home: string, polylang: PolylangSettings): SiteHost[] {
  const address = parsePageUrl(home)
  if (!address) return []
  const { host: group, segments } = address
  const common = { blogId: site.blogId, isOpen: !isClosed(site), group }
  const path = `/${segments.map((name) => `${name}/`).join('')}`.toLowerCase()
  const listed = new Map([
    [site.domain, site.path.toLowerCase()],
    [group, path],
  ])
  const claimed = languageHosts(group, polylang).filter((host) => !listed.has(host))
  return [
    ...[...listed].map(([host, path]) => ({ ...common, host, path, group: host, isListed: true })),
    ...claimed.map((host) => ({ ...common, host, path, isListed: false })),
  ]
}

/** @param home the host of the site's home */
function languageHosts(home: string, { forceLang, domains }: PolylangSettings): string[] {
  if (forceLang === 2) return [`*.${home.replace(/^www\./, '')}`]
  if (forceLang !== 3) return []
  const hosts = [...domains.values()].flatMap((url) => parsePageUrl(url)?.host ?? [])
  return [...new Set(hosts)]
}
