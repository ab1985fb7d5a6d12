import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { tasksTable } from '../../db/tasks/tasks-table.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { pagesTable, sitesTable, workTable } from './work-tables.ts'

/**
 * Resolves if the tables of pending work have the columns that this program uses: another version may have changed them while it runs.
 * Reads no rows.
 * @throws errors of the database
 */
export async function checkWorkTables(db: Db, globals: GlobalTables): Promise<void> {
  await readRows(
    db,
    `SELECT w.blog_id, w.kind, w.name, w.version, w.since, w.due_at, w.tries, w.error, s.blog_id, s.version,
        t.name, t.owner, t.former, t.due_at, p.blog_id, p.page_id, p.wanted, p.is_touched, p.since, p.tries, p.due_at, p.code, p.error, p.url
      FROM :work: AS w, :sites: AS s, :tasks: AS t, :pages: AS p LIMIT 0`,
    {
      work: workTable(globals),
      sites: sitesTable(globals),
      tasks: tasksTable(globals),
      pages: pagesTable(globals),
    },
  )
}
