import type { Database } from '../../db/database.ts'
import { DAY_MS, timeText } from '../../db/gmt.ts'
import { readRows, runStatement } from '../../db/sql.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { listLastApplied } from './last-applied.ts'
import { runSitesTable, runsTable } from './runs-table.ts'

/** Deletes old runs, each in a transaction: a run of a thousand sites has a thousand rows. @returns their number */
export async function pruneRuns(
  db: Database,
  globals: GlobalTables,
  { now, signal }: { readonly now: Date; readonly signal?: AbortSignal },
): Promise<number> {
  const since = new Date(now.getTime() - db.timings.plan.keptRunDays * DAY_MS)
  const old = await readRows<{ id: string }>(
    db,
    'SELECT id FROM :runs: WHERE created_at < :since ORDER BY created_at',
    { runs: runsTable(globals), since: timeText(since) },
  )
  if (old.length === 0) return 0
  const kept = new Set((await listLastApplied(db, globals, undefined)).map(({ run_id }) => run_id))
  const deletable = old.filter(({ id }) => !kept.has(id))
  let deleted = 0
  for (const { id } of deletable) {
    if (signal?.aborted) break
    await db.write({}, async (tx) => {
      const tables = { sites: runSitesTable(globals), runs: runsTable(globals) }
      await runStatement(tx, 'DELETE FROM :sites: WHERE run_id = :id', { ...tables, id })
      await runStatement(tx, 'DELETE FROM :runs: WHERE id = :id', { ...tables, id })
    })
    deleted += 1
  }
  return deleted
}
