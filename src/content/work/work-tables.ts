import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { tasksTable } from '../../db/tasks/tasks-table.ts'
import { sitesTable } from '../../wordpress/hosts/network-version.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** One row for each thing that was touched and is not built yet. */
export const workTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_work`

/** One row for each page that has a static copy, or is to be published: what is wanted, what was built, and what failed. */
export const pagesTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_pages`

/** The tables of the work and of its builders, for statements. */
export const workTables = (globals: GlobalTables) => ({
  work: workTable(globals),
  pages: pagesTable(globals),
  sites: sitesTable(globals),
  tasks: tasksTable(globals),
})

/** The time of the database, as a value. */
export const NOW = { toSqlString: () => 'NOW(6)' }

/** The condition of the rows of pages that nothing is known of any more, in SQL. */
export const IS_EMPTY = 'wanted = 0 AND url IS NULL AND purge_by IS NULL'

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
    workTables(globals),
  )
}

/** Length of the messages that are stored with failed work, in characters. */
export const MAX_ERROR_LENGTH = 500

/** When work that has failed `tries` times is due again, in SQL with the values of `pausesOf`. */
export const NEXT_TRY =
  'NOW(6) + INTERVAL LEAST(:maxPauseMs, :pauseMs * POW(2, LEAST(tries, 20)) / 2) * 1000 MICROSECOND'

/** @param maxPauseMs the longest pause [`work.maxBackoffMs`] */
export const pausesOf = (
  { timings: { work } }: Pick<Db, 'timings'>,
  maxPauseMs = work.maxBackoffMs,
) => ({ pauseMs: work.backoffMs, maxPauseMs })
