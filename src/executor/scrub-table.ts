import type { Database } from '../db/database.ts'
import { inMs } from '../db/lease.ts'
import { readRows, runStatement } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { pagesTable } from '../work/work-tables.ts'

/** One row: where the scrub of the static copies is, and what it has found. */
export const scrubTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_scrub`

/** A copy record: pages of all sites, by blog id and page id. */
type ScrubPosition = { readonly blogId: number; readonly page: number }

/** What a process checks next. */
export type ScrubBatch = {
  /** None: the round ends. */
  readonly copies: readonly ScrubPosition[]
  /** The position before the batch. */
  readonly from: ScrubPosition
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
 * Takes the next batch: of several processes one gets it, and renews its lease. The position moves with `completeBatch`, so that a batch that fails is
 * taken again when the lease has ended. A batch without copies is the end of the round, which the process finishes with `finishRound`.
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
    const from = { blogId: row.blog_id, page: row.page_id }
    const copies = await readRows<ScrubPosition>(
      tx,
      `SELECT blog_id AS blogId, page_id AS page FROM :pages:
        WHERE url IS NOT NULL AND (blog_id > :blogId OR (blog_id = :blogId AND page_id > :page)) ORDER BY blog_id, page_id LIMIT :limit`,
      { pages: pagesTable(globals), ...from, limit: isUrgent ? urgentSize : size },
    )
    // The first batch of a round.
    const begin = row.blog_id === 0 ? 'started_at = NOW(6), checked = 0, damaged = 0, ' : ''
    await runStatement(tx, `UPDATE :scrub: SET ${begin}due_at = :end WHERE id = 1`, {
      scrub,
      end: inMs(db.timings.scrub.leaseMs),
    })
    return { copies, from, isUrgent }
  })
}

/** Renews the lease of a batch. @returns false if it is lost, for example because a new round was asked for */
export function renewBatch(
  db: Database,
  globals: GlobalTables,
  batch: ScrubBatch,
): Promise<boolean> {
  return updateTaken(db, globals, batch, 'due_at = :due', { due: inMs(db.timings.scrub.leaseMs) })
}

/**
 * Moves the position behind a batch that was compared.
 * @param damaged number of damaged copies
 */
export async function completeBatch(
  db: Database,
  globals: GlobalTables,
  batch: ScrubBatch,
  damaged: number,
): Promise<void> {
  const { copies, from, isUrgent } = batch
  const { blogId, page } = copies.at(-1) ?? from
  await updateTaken(
    db,
    globals,
    batch,
    `checked = checked + :checked, damaged = damaged + :damaged, blog_id = :nextBlogId, page_id = :nextPage, due_at = :due`,
    {
      checked: copies.length,
      damaged,
      nextBlogId: blogId,
      nextPage: page,
      due: inMs(isUrgent ? 0 : db.timings.scrub.batchPauseMs),
    },
  )
}

/** Ends a round. The next one begins at once, but not before the shortest time of a round. */
export async function finishRound(
  db: Database,
  globals: GlobalTables,
  batch: ScrubBatch,
): Promise<void> {
  await updateTaken(
    db,
    globals,
    batch,
    `blog_id = 0, page_id = 0, is_urgent = 0, finished_at = NOW(6),
      due_at = GREATEST(NOW(6), IFNULL(started_at, NOW(6)) + INTERVAL :roundMs * 1000 MICROSECOND)`,
    { roundMs: db.timings.scrub.roundMs },
  )
}

/** Changes the row while a batch has it. A round that was asked for meanwhile is due, so it stays as it is. @returns whether it was changed */
function updateTaken(
  db: Database,
  globals: GlobalTables,
  { from: { blogId, page }, isUrgent }: ScrubBatch,
  assignments: string,
  values: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  return db.write({ isWork: true, isStatement: true }, async (tx) => {
    const { affectedRows } = await runStatement(
      tx,
      `UPDATE :scrub: SET ${assignments}
        WHERE id = 1 AND blog_id = :blogId AND page_id = :page AND is_urgent = :isUrgent AND due_at > NOW(6)`,
      { scrub: scrubTable(globals), blogId, page, isUrgent: isUrgent ? 1 : 0, ...values },
    )
    return affectedRows > 0
  })
}
