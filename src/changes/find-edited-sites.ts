import { listSitesWithCopies } from '../build/publishing/copies-table.ts'
import { REGISTRY_OPTION } from '../content/frames/option-names.ts'
import type { Db } from '../db/database.ts'
import { inBatches, readRows } from '../db/sql.ts'
import { sitesTable } from '../wordpress/hosts/network-version.ts'
import { readBlogs } from '../wordpress/network/find-sites.ts'
import { readNetworkOptions } from '../wordpress/network/network-option.ts'
import { type GlobalTables, isClosed, type Site, siteOf } from '../wordpress/network/site.ts'
import { checksumOf, findSitesWithOption, type PolledState, readChecksums } from './checksums.ts'
import { describeNetwork, SHOWN_NETWORK_OPTIONS, stateInNetwork } from './seen-network.ts'
import { seenTables } from './seen-tables.ts'

/** A site whose state differs from what was seen last. `state` is undefined for a deleted site, and for one that was never seen. */
type EditedSite = { readonly blogId: number; readonly state: PolledState | undefined }

/** What was found of a part of the sites. */
export type EditedSites = {
  readonly edited: readonly EditedSite[]
  /** Why sites could not be read, by blog id. */
  readonly unreadable: ReadonlyMap<number, unknown>
}

/** Sites of which the results are given together. */
const SITES_PER_PART = 400

/**
 * Compares one checksum of each site with the one that was stored last. Some statements for all sites, and one for each 40 of them; a site
 * without frames takes part of one look-up, a closed site none. The results of a part of the sites do not wait for those of the others.
 * @param except blog ids of sites that are not compared
 */
export async function* findEditedSites(
  db: Db,
  globals: GlobalTables,
  except: ReadonlySet<number> = new Set(),
): AsyncGenerator<EditedSites> {
  const [blogs, seen, withCopies] = await Promise.all([
    readBlogs(db, globals),
    readSeenSites(db, globals),
    listSitesWithCopies(db, globals),
  ])
  const sites = blogs.map((row) => siteOf(globals, row))
  const ids = [...new Set(sites.map(({ networkId }) => networkId))]
  const options = await readNetworkOptions(db, globals, ids, SHOWN_NETWORK_OPTIONS)
  const networks = new Map([...options].map(([id, found]) => [id, describeNetwork(found)]))
  const copies = new Set(withCopies)
  const network = { seen, copies, networks, paths: new PathsBelow(sites) }
  const existing = new Set(sites.map(({ blogId }) => blogId))
  const deleted = [...new Set([...copies, ...seen.keys()])].filter((id) => !existing.has(id))
  const gone = deleted.map((blogId) => ({ blogId, state: undefined }))
  yield { edited: gone, unreadable: new Map() }
  const compared = sites.filter((site) => isClosed(site) || !except.has(site.blogId))
  for (const part of inBatches(compared, SITES_PER_PART)) yield findInPart(db, part, network)
}

/** What the comparisons of all sites need. */
type ComparisonContext = {
  readonly seen: ReadonlyMap<number, SeenSite>
  /** The blog ids of the sites with copies. */
  readonly copies: ReadonlySet<number>
  /** What matters of the options of each network, by its id. */
  readonly networks: ReadonlyMap<number, string>
  readonly paths: PathsBelow
}

async function findInPart(
  db: Db,
  sites: readonly Site[],
  { seen, copies, networks, paths }: ComparisonContext,
): Promise<EditedSites> {
  const open = sites.filter((site) => !isClosed(site))
  const unreadable = new Map<number, unknown>()
  const onUnreadable = ({ blogId }: Site, error: unknown) => void unreadable.set(blogId, error)
  const [ofSeen, unseen] = await Promise.all([
    readChecksums(
      db,
      open.filter(({ blogId }) => seen.has(blogId)),
      new Set([...seen].filter(([, { linksOthers }]) => linksOthers).map(([blogId]) => blogId)),
      onUnreadable,
    ),
    findSitesWithOption(
      db,
      open.filter(({ blogId }) => !seen.has(blogId)),
      REGISTRY_OPTION,
      onUnreadable,
    ),
  ])
  const edited = sites.flatMap((site): EditedSite[] => {
    const { blogId, networkId } = site
    const content = isClosed(site) ? '' : ofSeen.get(blogId)
    const known = seen.get(blogId)
    if (!known) {
      // A site that was closed before it was first compared still loses its copies.
      const isToCompare = unseen.has(blogId) || (isClosed(site) && copies.has(blogId))
      return isToCompare ? [{ blogId, state: undefined }] : []
    }
    // For example, the tables are missing while a backup is restored.
    if (content === undefined) return []
    const inNetwork = stateInNetwork(site, networks.get(networkId) ?? describeNetwork())
    const text = `${inNetwork} ${paths.below(site)} ${content}`
    const state = { text, version: known.version }
    return known.checksum === checksumOf(state) ? [] : [{ blogId, state }]
  })
  return { edited, unreadable }
}

type SeenSite = {
  readonly checksum: string | null
  readonly linksOthers: boolean
  /** The present version of the site. */
  readonly version: number
}

async function readSeenSites(db: Db, globals: GlobalTables): Promise<Map<number, SeenSite>> {
  const rows = await readRows<{
    blog_id: number
    checksum: string | null
    links_others: number
    version: number | null
  }>(
    db,
    `SELECT k.blog_id, k.checksum, k.links_others, s.version FROM :seen: k
      LEFT JOIN :sites: s ON s.blog_id = k.blog_id`,
    { seen: seenTables(globals).sites, sites: sitesTable(globals) },
  )
  return new Map(
    rows.map((row) => [
      row.blog_id,
      {
        checksum: row.checksum,
        linksOthers: row.links_others !== 0,
        version: row.version ?? 0,
      },
    ]),
  )
}

/** For each site, the paths of the sites below its address. */
class PathsBelow {
  readonly #paths = new Map<string, string[]>()

  constructor(sites: readonly Site[]) {
    for (const { domain, path } of sites) {
      const names = path.toLowerCase().split('/').filter(Boolean)
      for (let depth = 0; depth < names.length; depth += 1) {
        const above = `${domain}/${names
          .slice(0, depth)
          .map((name) => `${name}/`)
          .join('')}`
        const paths = this.#paths.get(above)
        if (paths) paths.push(path)
        else this.#paths.set(above, [path])
      }
    }
  }

  below({ domain, path }: Site): string {
    return this.#paths.get(`${domain}${path.toLowerCase()}`)?.join(' ') ?? ''
  }
}
