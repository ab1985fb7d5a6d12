import { pagesTable } from '../../content/work/work-tables.ts'
import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { requestTask } from '../../db/tasks/tasks-table.ts'
import type { Tx } from '../../db/transaction.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** The task that compares static copies with their records. Its state is a `ScrubPosition`. */
export const SCRUB = 'scrub'

/** A copy record: pages of all sites, by blog id and page id. */
type RecordedCopy = { readonly blogId: number; readonly page: number }

/** The last record that was compared in this round. */
export type ScrubPosition = RecordedCopy & {
  /** True after a restore: no pause follows a batch. */
  readonly isUrgent: boolean
  /** Batches of this round so far, each with its pause [0]. */
  readonly batches?: number
}

/** Before the first record. */
export const ROUND_BEGIN: ScrubPosition = { blogId: 0, page: 0, isUrgent: false }

const URGENT = JSON.stringify({ ...ROUND_BEGIN, isUrgent: true })

/** Lets the scrub begin again, without pauses. A process that compares a batch loses it. */
export const urgentScrub = (tx: Tx, globals: GlobalTables): void =>
  requestTask(tx, globals, SCRUB, URGENT)

/**
 * Does the same at the end of the transaction if a site of the bucket was published before: the folder has no number of it, so it is new, or was lost.
 */
export const scrubNewFolder = (
  tx: Tx,
  globals: GlobalTables,
  publications: { readonly table: string; readonly bucket: number },
): void =>
  requestTask(tx, globals, SCRUB, URGENT, {
    statement: 'FROM :table: WHERE bucket = :bucket AND number > 1',
    values: publications,
  })

/** The next records to compare; none at the end of a round. */
export function listCopiesAfter(
  db: Db,
  globals: GlobalTables,
  { blogId, page }: RecordedCopy,
  limit: number,
): Promise<RecordedCopy[]> {
  return readRows(
    db,
    `SELECT blog_id AS blogId, page_id AS page FROM :pages:
      WHERE url IS NOT NULL AND (blog_id > :blogId OR (blog_id = :blogId AND page_id > :page)) ORDER BY blog_id, page_id LIMIT :limit`,
    { pages: pagesTable(globals), blogId, page, limit },
  )
}
