import type { Database } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { RUN_COLUMNS, type Run, runsTable } from './runs-table.ts'

/**
 * Claims a run that a background worker has to continue, for so many seconds.
 * @returns undefined if there is none
 */
export async function claimRun(
  db: Database,
  globals: GlobalTables,
  seconds: number,
): Promise<Run | undefined> {
  const [due] = await readRows<Run>(
    db,
    `SELECT ${RUN_COLUMNS} FROM :runs: WHERE state IN ('planning', 'applying', 'rolling_back') AND due_at <= NOW(6)
      ORDER BY due_at LIMIT 1`,
    { runs: runsTable(globals) },
  )
  if (!due) return undefined
  const claimed = await db.write({ isStatement: true }, async (tx) => {
    const [{ affectedRows }] = await tx.sql.raw(
      'UPDATE ?? SET due_at = NOW(6) + INTERVAL ? SECOND WHERE id = ? AND state = ? AND due_at <= NOW(6)',
      [runsTable(globals), seconds, due.id, due.state],
    )
    return affectedRows === 1
  })
  return claimed ? due : undefined
}

/** Renews the claim of a run; ends it with 0 seconds. @returns whether the run still has its state */
export function renewRun(
  db: Database,
  globals: GlobalTables,
  { id, state }: Pick<Run, 'id' | 'state'>,
  seconds: number,
): Promise<boolean> {
  return db.write({ isStatement: true }, async (tx) => {
    const [{ affectedRows }] = await tx.sql.raw(
      'UPDATE ?? SET due_at = NOW(6) + INTERVAL ? SECOND WHERE id = ? AND state = ?',
      [runsTable(globals), seconds, id, state],
    )
    return affectedRows === 1
  })
}
