import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { sitesTable, workTable } from './work-tables.ts'

/**
 * Resolves if the tables of pending work have the columns that this program uses: another version may have changed them while it runs.
 * Reads no rows.
 * @throws errors of the database
 */
export async function checkWorkTables(db: Db, globals: GlobalTables): Promise<void> {
  await readRows(
    db,
    `SELECT w.blog_id, w.kind, w.name, w.version, w.is_bulk, w.since, w.due_at, w.owner, w.previous_owner, w.tries, w.error,
        s.blog_id, s.version
      FROM :work: AS w, :sites: AS s LIMIT 0`,
    { work: workTable(globals), sites: sitesTable(globals) },
  )
}
