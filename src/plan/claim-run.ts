import type { Database } from '../db/database.ts'
import { IS_DUE, type Lease, latestLease, newOwner, takeLease } from '../db/lease.ts'
import { readRows } from '../db/sql.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { RUN_COLUMNS, type Run, runsTable } from './runs-table.ts'

/** A run, and the right to continue it. It is lost as soon as the state of the run changes. */
export type ClaimedRun = { readonly run: Run; readonly lease: Lease }

/**
 * Claims a run that a background worker has to continue.
 * @returns undefined if there is none, or if another process has claimed it at the same time
 */
export async function claimRun(
  db: Database,
  globals: GlobalTables,
): Promise<ClaimedRun | undefined> {
  const table = runsTable(globals)
  const [run] = await readRows<Run>(
    db,
    `SELECT ${RUN_COLUMNS} FROM :table: WHERE state IN ('planning', 'applying', 'trying', 'rolling_back') AND ${IS_DUE}
      ORDER BY due_at LIMIT 1`,
    { table, latest: latestLease(db) },
  )
  if (!run) return undefined
  const row = { id: run.id, state: run.state }
  const lease = { table, row, owner: newOwner(), lengthMs: db.timings.plan.leaseMs }
  return (await takeLease(db, lease)) ? { run, lease } : undefined
}
