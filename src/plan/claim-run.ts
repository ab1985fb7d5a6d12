import type { Database } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { RUN_COLUMNS, type Run, runsTable } from './runs-table.ts'

/** A run, and the end of its lease as the database prints it. Only the process that has set that end knows it, so it identifies the owner. */
export type ClaimedRun = { readonly run: Run; readonly until: string }

/**
 * Claims a run that a background worker has to continue, for so many seconds.
 * @returns undefined if there is none
 */
export async function claimRun(
  db: Database,
  globals: GlobalTables,
  seconds: number,
): Promise<ClaimedRun | undefined> {
  const [due] = await readRows<Run & { due_at: string }>(
    db,
    `SELECT ${RUN_COLUMNS}, due_at FROM :runs: WHERE state IN ('planning', 'applying', 'rolling_back') AND due_at <= NOW(6)
      ORDER BY due_at LIMIT 1`,
    { runs: runsTable(globals) },
  )
  if (!due) return undefined
  const { due_at, ...run } = due
  const until = await renewRun(db, globals, { run, until: due_at }, seconds)
  return until === undefined ? undefined : { run, until }
}

/**
 * Renews the claim of a run; ends it with 0 seconds.
 * @returns its new end; undefined if another process has claimed the run since then, or its state has changed
 */
export function renewRun(
  db: Database,
  globals: GlobalTables,
  { run, until }: ClaimedRun,
  seconds: number,
): Promise<string | undefined> {
  return db.write({}, async (tx) => {
    const [{ affectedRows }] = await tx.sql.raw(
      'UPDATE ?? SET due_at = NOW(6) + INTERVAL ? SECOND WHERE id = ? AND state = ? AND due_at = ?',
      [runsTable(globals), seconds, run.id, run.state, until],
    )
    return affectedRows === 1 ? readEnd(tx, globals, run) : undefined
  })
}

async function readEnd(tx: Tx, globals: GlobalTables, { id }: Run): Promise<string | undefined> {
  const [row] = await readRows<{ due_at: string }>(tx, 'SELECT due_at FROM :runs: WHERE id = :id', {
    runs: runsTable(globals),
    id,
  })
  return row?.due_at
}
