import { forEachBounded } from '../concurrency/for-each.ts'
import type { Database, Db } from '../db/database.ts'
import { isOutage } from '../db/is-outage.ts'
import type { Log } from '../log.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { ALL_ROWS, type ChangedRows } from './changed-rows.ts'
import { findEditedSites } from './find-edited-sites.ts'
import { recordEdits } from './record-edits.ts'
import type { UnreadableSites } from './unreadable-sites.ts'

export type ReportedEditsOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  /** Starts the recorded work of a site. */
  readonly wake: (blogId: number) => void
  /** Learns which sites could not be read when all were compared. */
  readonly unreadable: UnreadableSites
}

/** Where edits may be. */
export type ReportedEdits = {
  /** Edits may be anywhere. */
  readonly everything: boolean
  /** By blog id. */
  readonly sites: ReadonlyMap<number, ChangedRows>
}

/** Sites compared at the same time. */
const SITES_AT_ONCE = 4

/**
 * Records the work that follows from reported edits. A site that cannot be compared, because a table is missing, damaged or locked, is left
 * to the next round of the poll.
 * @throws if the database is unavailable
 */
export async function recordReportedEdits(
  options: ReportedEditsOptions,
  { everything, sites }: ReportedEdits,
): Promise<void> {
  const { db, globals } = options
  if (everything) {
    const reasons = new Map<number, unknown>()
    for await (const { edited, unreadable } of findEditedSites(db, globals)) {
      for (const [blogId, reason] of unreadable) reasons.set(blogId, reason)
      await forEachBounded(edited, SITES_AT_ONCE, ({ blogId, checksum }) =>
        recordOfSite(options, blogId, ALL_ROWS, checksum),
      )
    }
    options.unreadable.update(reasons)
    return
  }
  await forEachBounded(sites, SITES_AT_ONCE, ([blogId, rows]) =>
    recordOfSite(options, blogId, rows),
  )
  const moved = [...sites].filter(([, rows]) => rows.network).map(([blogId]) => blogId)
  const above = (await findSitesAbove(db, globals, moved)).filter((id) => !moved.includes(id))
  await forEachBounded(above, SITES_AT_ONCE, (blogId) =>
    recordOfSite(options, blogId, NETWORK_ROWS),
  )
}

const NETWORK_ROWS: ChangedRows = {
  posts: new Set(),
  options: new Set(),
  terms: false,
  network: true,
}

async function recordOfSite(
  { db, globals, log, wake }: ReportedEditsOptions,
  blogId: number,
  rows: ChangedRows,
  checksum?: string,
): Promise<void> {
  try {
    if (await recordEdits({ db, globals }, blogId, rows, checksum)) wake(blogId)
  } catch (error) {
    if (await isOutage(db, error)) throw error
    log.warn({ err: error, site: blogId }, 'the edits of a site could not be compared')
  }
}

/**
 * The sites at a shorter path on the host of one of these sites: their pages may have the address of that site. For a site that was deleted,
 * the sites at the top of all hosts.
 */
async function findSitesAbove(
  db: Db,
  globals: GlobalTables,
  blogIds: readonly number[],
): Promise<number[]> {
  if (blogIds.length === 0) return []
  const rows: { blog_id: number; domain: string; path: string }[] = await db
    .sql(globals.blogs)
    .select('blog_id', 'domain', 'path')
  const moved = rows.filter(({ blog_id }) => blogIds.includes(blog_id))
  const isOneDeleted = moved.length < blogIds.length
  const isAbove = ({ domain, path }: (typeof rows)[number]) =>
    moved.some(
      (site) =>
        site.domain === domain && site.path.startsWith(path) && site.path.length > path.length,
    )
  return rows
    .filter((row) => (isOneDeleted && row.path === '/') || isAbove(row))
    .map(({ blog_id }) => blog_id)
}
