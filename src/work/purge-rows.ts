import type { Database, Db } from '../db/database.ts'
import { IS_DUE, inMs, RELEASED } from '../db/lease.ts'
import { inBatches, readRows, runStatement } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { traceOfWork } from '../trace.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { latestWork, MAX_ERROR_LENGTH, NEXT_TRY, pausesOf, type WorkSite } from './claims.ts'
import { workTable } from './work-tables.ts'

// Rows of the kind `purge`: pages that page caches have to purge by tag. The name is the id of a page, or '' for all pages of the site.

/** What is to be purged: a page, or all pages of its site. */
export type PurgeRow = {
  readonly blogId: number
  /** Undefined for all pages of the site. */
  readonly page: number | undefined
  readonly trace: string | null
}

/** Sites of one claim. */
export const MAX_PURGED_SITES = 1000

/** Rows in one statement. */
const ROWS_PER_STATEMENT = 500

/**
 * Records that pages are to be purged, as the last step of what has changed them. A purge in progress is repeated: it may have come before the change. One
 * that has failed keeps its time.
 * @param pages their ids, or `all` for the whole site
 * @param onRecorded is called when the transaction ends
 */
export function recordPurges(
  tx: Tx,
  { blogId, globals }: WorkSite,
  pages: readonly number[] | 'all',
  onRecorded: () => void,
): void {
  const trace = traceOfWork()
  const names = pages === 'all' ? [''] : pages.map(String)
  for (const batch of inBatches(names, ROWS_PER_STATEMENT))
    tx.later(
      `INSERT INTO :work: (blog_id, kind, name, version, since, due_at, trace) VALUES :rows
        ON DUPLICATE KEY UPDATE trace = VALUES(trace), due_at = IF(owner IS NULL AND tries > 0, due_at, VALUES(due_at)), owner = NULL`,
      {
        work: workTable(globals),
        rows: batch.map((name) => [blogId, 'purge', name, 0, NOW, RELEASED.due_at, trace]),
      },
      { onResult: onRecorded },
    )
}

const NOW = { toSqlString: () => 'NOW(6)' }

/** Claims purges that are due, of the sites that have waited longest. */
export async function claimPurges(
  db: Database,
  globals: GlobalTables,
  owner: string,
): Promise<PurgeRow[]> {
  const work = workTable(globals)
  const latest = latestWork(db)
  const due = `kind = 'purge' AND ${IS_DUE}`
  const sites = await readRows<{ blog_id: number }>(
    db,
    `SELECT blog_id FROM :work: WHERE ${due} GROUP BY blog_id ORDER BY MIN(since) LIMIT ${MAX_PURGED_SITES}`,
    { work, latest },
  )
  if (sites.length === 0) return []
  // By the primary key, so that no row of other work is locked.
  await statement(db, async (tx) => {
    await runStatement(
      tx,
      `UPDATE :work: FORCE INDEX (PRIMARY) SET owner = :owner, due_at = :end
        WHERE blog_id IN (:blogIds) AND ${due}`,
      { work, owner, end: endOf(db), blogIds: sites.map(({ blog_id }) => blog_id), latest },
    )
  })
  return readClaimed(db, globals, owner)
}

async function readClaimed(db: Db, globals: GlobalTables, owner: string): Promise<PurgeRow[]> {
  const rows = await readRows<{ blog_id: number; name: string; trace: string | null }>(
    db,
    'SELECT blog_id, name, trace FROM :work: WHERE owner = :owner ORDER BY blog_id, name',
    { work: workTable(globals), owner },
  )
  return rows.map(({ blog_id: blogId, name, trace }) => ({
    blogId,
    trace,
    page: name === '' ? undefined : Number(name),
  }))
}

const endOf = ({ timings }: Db) => inMs(timings.work.purgeLeaseMs)

/** Renews the leases of a claim. @returns true */
export async function renewPurges(
  db: Database,
  globals: GlobalTables,
  owner: string,
): Promise<true> {
  await statement(db, async (tx) => {
    await runStatement(tx, 'UPDATE :work: SET due_at = :end WHERE owner = :owner', {
      work: workTable(globals),
      end: endOf(db),
      owner,
    })
  })
  return true
}

/** Deletes the rows of sites whose pages are purged. Those that were recorded again meanwhile stay. */
export async function completePurges(
  db: Database,
  globals: GlobalTables,
  owner: string,
  blogIds: readonly number[],
): Promise<void> {
  await statement(db, async ({ sql }) => {
    await sql(workTable(globals)).where({ owner }).whereIn('blog_id', blogIds).delete()
  })
}

/**
 * All rows that a claim still has failed: their pauses double with each try.
 * @param message why, for operators
 * @param pauseMs the shortest pause
 */
export async function failPurges(
  db: Database,
  globals: GlobalTables,
  owner: string,
  { message, pauseMs }: { readonly message: string; readonly pauseMs: number },
): Promise<void> {
  await statement(db, async (tx) => {
    await runStatement(
      tx,
      `UPDATE :work: SET tries = tries + 1, error = :error, owner = NULL,
          due_at = GREATEST(${NEXT_TRY}, :paused)
        WHERE owner = :owner`,
      {
        work: workTable(globals),
        owner,
        error: message.slice(0, MAX_ERROR_LENGTH),
        paused: inMs(pauseMs),
        ...pausesOf(db),
      },
    )
  })
}

/** Releases the rows that a claim still has, so that any process may claim them at once. */
export async function releasePurges(
  db: Database,
  globals: GlobalTables,
  owner: string,
): Promise<void> {
  await statement(db, async ({ sql }) => {
    await sql(workTable(globals)).where({ owner }).update(RELEASED)
  })
}

/** Forgets all recorded purges: they are not to be sent any more. */
export async function forgetPurges({ sql }: Tx, globals: GlobalTables): Promise<void> {
  await sql(workTable(globals)).where({ kind: 'purge' }).delete()
}

/** One statement in the queue of the workers. */
function statement(db: Database, run: (tx: Tx) => Promise<void>): Promise<void> {
  return db.write({ isWork: true, isStatement: true }, run)
}
