import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { requestTask } from '../tasks/tasks-table.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { pagesTable } from '../work/work-tables.ts'

/** The task that compares static copies with their records. Its state is a `ScrubPosition`. */
export const SCRUB = 'scrub'

/** A copy record: pages of all sites, by blog id and page id. */
type CheckedCopy = { readonly blogId: number; readonly page: number }

/** The last record that was compared in this round. */
export type ScrubPosition = CheckedCopy & {
  /** True after a restore: no pause follows a batch. */
  readonly isUrgent: boolean
  /** Batches of this round so far, each with its pause [0]. */
  readonly batches?: number
}

/** Before the first record. */
export const ROUND_BEGIN: ScrubPosition = { blogId: 0, page: 0, isUrgent: false }

/** Lets the scrub begin again, without pauses. A process that compares a batch loses it. */
export function urgentScrub(tx: Tx, globals: GlobalTables): Promise<void> {
  return requestTask(tx, globals, SCRUB, JSON.stringify({ ...ROUND_BEGIN, isUrgent: true }))
}

/** The next records to compare; none at the end of a round. */
export function listCopiesAfter(
  db: Db,
  globals: GlobalTables,
  { blogId, page }: CheckedCopy,
  limit: number,
): Promise<CheckedCopy[]> {
  return readRows(
    db,
    `SELECT blog_id AS blogId, page_id AS page FROM :pages:
      WHERE url IS NOT NULL AND (blog_id > :blogId OR (blog_id = :blogId AND page_id > :page)) ORDER BY blog_id, page_id LIMIT :limit`,
    { pages: pagesTable(globals), blogId, page, limit },
  )
}
