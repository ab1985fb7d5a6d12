import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import { forEachBounded } from '../host/concurrency/for-each.ts'
import type { Log } from '../host/log.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import type { ChangedRows, ReportedEdits } from './changed-rows.ts'
import { type RecordAllOptions, recordAllEdits, recordEditsOfSite } from './record-all-edits.ts'
import type { UnreadableSites } from './unreadable-sites.ts'

export type ReportedEditsOptions = RecordAllOptions & {
  readonly log: Log
  /** Learns which sites could not be read when all were compared. */
  readonly unreadable: UnreadableSites
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
  if (everything) return options.unreadable.update(await recordAllEdits(options))
  const { db, globals, log } = options
  const record = async (blogId: number, rows: ChangedRows): Promise<void> => {
    const reason = await recordEditsOfSite(options, blogId, rows)
    if (reason) log.warn({ err: reason, site: blogId }, 'the edits of a site could not be compared')
  }
  await forEachBounded(sites, SITES_AT_ONCE, ([blogId, rows]) => record(blogId, rows))
  const moved = [...sites].filter(([, rows]) => rows.network).map(([blogId]) => blogId)
  const above = (await findSitesAbove(db, globals, moved)).filter((id) => !moved.includes(id))
  await forEachBounded(above, SITES_AT_ONCE, (blogId) => record(blogId, NETWORK_ROWS))
}

const NETWORK_ROWS: ChangedRows = {
  posts: new Set(),
  options: new Set(),
  terms: false,
  network: true,
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
  const rows = await readRows<{ blog_id: number; domain: string; path: string }>(
    db,
    'SELECT blog_id, domain, path FROM :blogs:',
    { blogs: globals.blogs },
  )
  const moved = rows.filter(({ blog_id }) => blogIds.includes(blog_id))
  const isOneDeleted = moved.length < blogIds.length
  const addressOf = ({ domain, path }: (typeof rows)[number]) => `${domain}${path}`.toLowerCase()
  const isAbove = (row: (typeof rows)[number]) =>
    moved.some(
      (site) => addressOf(site).startsWith(addressOf(row)) && site.path.length > row.path.length,
    )
  return rows
    .filter((row) => (isOneDeleted && row.path === '/') || isAbove(row))
    .map(({ blog_id }) => blog_id)
}
