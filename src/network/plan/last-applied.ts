import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { runSitesTable, runsTable } from './runs-table.ts'

/** Of each site the last run with a description that was applied to it. */
export function listLastApplied(
  db: Db,
  globals: GlobalTables,
  name: string | undefined,
): Promise<{ run_id: string; name: string; blog_id: number; applied_at: string }[]> {
  const values = { runs: runsTable(globals), sites: runSitesTable(globals), name: name ?? '' }
  const own = `s.applied_at IS NOT NULL AND s.state <> 'rolled_back' AND r.name <> '' ${name === undefined ? '' : 'AND r.name = :name'}`
  return readRows(
    db,
    `SELECT s.run_id, r.name, s.blog_id, s.applied_at FROM :sites: s JOIN :runs: r ON r.id = s.run_id
      JOIN (SELECT s.blog_id, r.name, MAX(s.applied_at) AS applied_at FROM :sites: s JOIN :runs: r ON r.id = s.run_id
        WHERE ${own} GROUP BY s.blog_id, r.name) last
        ON last.blog_id = s.blog_id AND last.name = r.name AND last.applied_at = s.applied_at
      WHERE ${own} ORDER BY r.name, s.blog_id`,
    values,
  )
}
