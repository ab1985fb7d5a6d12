import type { Database } from '../db/database.ts'
import { inMs } from '../db/lease.ts'
import { readRows, runStatement } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { copiesTable } from '../publishing/copies-table.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

/** One row: where the scrub of the static copies is, and what it has found. */
export const scrubTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_scrub`

/** A copy record: pages of all sites, by blog id and page id. */
export type ScrubPosition = { readonly blogId: number; readonly page: number }

/** What a process checks next. */
export type ScrubBatch = {
  readonly copies: readonly ScrubPosition[]
  /** The position after the batch. */
  readonly position: ScrubPosition
  /** True after a restore: no pause follows. */
  readonly isUrgent: boolean
}

/** Lets the scrub begin again, without pauses. */
export async function urgentScrub(tx: Tx, globals: GlobalTables): Promise<void> {
  await tx.sql.raw(
    `UPDATE ?? SET blog_id = 0, page_id = 0, is_urgent = 1, due_at = NOW(6) WHERE id = 1`,
    [scrubTable(globals)],
  )
}

export type TakeOptions = {
  /** Records of one batch; 0 to take urgent batches only. */
  readonly size: number
  readonly urgentSize: number
}

/**
 * Takes the next batch: of several processes one gets it. A batch without copies is the end of the round, which the process finishes with
 * `finishRound`.
 * @returns undefined if none is due
 */
export function takeBatch(
  db: Database,
  globals: GlobalTables,
  { size, urgentSize }: TakeOptions,
): Promise<ScrubBatch | undefined> {
  const scrub = scrubTable(globals)
  return db.write({ isWork: true }, async (tx) => {
    const [row] = await readRows<{ blog_id: number; page_id: number; is_urgent: number }>(
      tx,
      `SELECT blog_id, page_id, is_urgent FROM :scrub: WHERE id = 1 AND due_at <= NOW(6) AND (is_urgent = 1 OR :size > 0) FOR UPDATE`,
      { scrub, size },
    )
    if (row === undefined) return undefined
    const isUrgent = row.is_urgent === 1
    const copies = await readRows<ScrubPosition>(
      tx,
      `SELECT blog_id AS blogId, page_id AS page FROM :copies:
        WHERE blog_id > :blogId OR (blog_id = :blogId AND page_id > :page) ORDER BY blog_id, page_id LIMIT :limit`,
      {
        copies: copiesTable(globals),
        blogId: row.blog_id,
        page: row.page_id,
        limit: isUrgent ? urgentSize : size,
      },
    )
    const position = copies.at(-1) ?? { blogId: row.blog_id, page: row.page_id }
    const { endMs, batchPauseMs } = db.timings.scrub
    const pauseMs = copies.length === 0 ? endMs : isUrgent ? 0 : batchPauseMs
    // The first batch of a round.
    const begin = row.blog_id === 0 ? 'started_at = NOW(6), checked = 0, damaged = 0, ' : ''
    await runStatement(
      tx,
      `UPDATE :scrub: SET ${begin}checked = checked + :count, blog_id = :blogId, page_id = :page, due_at = :due WHERE id = 1`,
      { scrub, count: copies.length, ...position, due: inMs(pauseMs) },
    )
    return { copies, position, isUrgent }
  })
}

/** Counts damaged copies of the present round. */
export async function countDamaged(
  db: Database,
  globals: GlobalTables,
  damaged: number,
): Promise<void> {
  await db.write({ isWork: true, isStatement: true }, async (tx) => {
    await tx.sql.raw('UPDATE ?? SET damaged = damaged + ? WHERE id = 1', [
      scrubTable(globals),
      damaged,
    ])
  })
}

/** Keeps other processes from the end of a round that this one is busy with. @returns false if a new round has begun */
export function renewEnd(
  db: Database,
  globals: GlobalTables,
  { blogId, page }: ScrubPosition,
): Promise<boolean> {
  return db.write({ isWork: true, isStatement: true }, async (tx) => {
    const { affectedRows } = await runStatement(
      tx,
      'UPDATE :scrub: SET due_at = :due WHERE id = 1 AND blog_id = :blogId AND page_id = :page',
      { scrub: scrubTable(globals), blogId, page, due: inMs(db.timings.scrub.endMs) },
    )
    return affectedRows > 0
  })
}

/** Ends a round. The next one begins at once, but not before the shortest time of a round. One that was requested meanwhile stays as it is. */
export async function finishRound(
  db: Database,
  globals: GlobalTables,
  { blogId, page }: ScrubPosition,
): Promise<void> {
  await db.write({ isWork: true, isStatement: true }, async (tx) => {
    await runStatement(
      tx,
      `UPDATE :scrub: SET blog_id = 0, page_id = 0, is_urgent = 0, finished_at = NOW(6),
          due_at = GREATEST(NOW(6), IFNULL(started_at, NOW(6)) + INTERVAL :roundMs * 1000 MICROSECOND)
        WHERE id = 1 AND blog_id = :blogId AND page_id = :page`,
      { scrub: scrubTable(globals), blogId, page, roundMs: db.timings.scrub.roundMs },
    )
  })
}
