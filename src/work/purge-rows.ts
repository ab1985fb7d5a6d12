import type { Database, Db } from '../db/database.ts'
import { IS_DUE, inMs, RELEASED } from '../db/lease.ts'
import { inBatches, readRows, runStatement } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { latestWork, MAX_ERROR_LENGTH, NEXT_TRY, pausesOf, type WorkSite } from './claims.ts'
import { workTable } from './work-tables.ts'

// Rows of the kind `purge`: pages that page caches have to purge by tag. The name is the id of a page, or '' for all pages of the site. If some page caches
// have failed, a row for each of them follows: its name continues with a space and the id of the page cache.

/** What is to be purged: a page, or all pages of its site. */
export type PurgeRow = {
  readonly blogId: number
  /** Undefined for all pages of the site. */
  readonly page: number | undefined
  /** The id of the page cache that has failed before; empty if none has, or all have. */
  readonly cache: string
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
  const names = pages === 'all' ? [''] : pages.map(String)
  for (const batch of inBatches(names, ROWS_PER_STATEMENT))
    tx.later(
      `INSERT INTO :work: (blog_id, kind, name, version, since, due_at) VALUES :rows
        ON DUPLICATE KEY UPDATE due_at = IF(owner IS NULL AND tries > 0, due_at, VALUES(due_at)), owner = NULL`,
      {
        work: workTable(globals),
        rows: batch.map((name) => [blogId, 'purge', name, 0, NOW, RELEASED.due_at]),
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
  const rows = await readRows<{ blog_id: number; name: string }>(
    db,
    'SELECT blog_id, name FROM :work: WHERE owner = :owner ORDER BY blog_id, name',
    { work: workTable(globals), owner },
  )
  return rows.map(({ blog_id: blogId, name }) => {
    const [page, cache = ''] = name.split(' ')
    return { blogId, cache, page: page ? Number(page) : undefined }
  })
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

/** Rows of a claim that have had the same result: those of some sites, with the same `cache`. */
export type PurgedPart = {
  readonly owner: string
  readonly cache: string
  readonly blogIds: readonly number[]
}

/** A page cache that has not purged. */
export type FailedPurge = {
  /** Its id; empty for all page caches. */
  readonly cache: string
  /** Why, for operators. */
  readonly message: string
  /** The shortest pause until the next try. */
  readonly pauseMs: number
}

/**
 * Ends the work on rows of a claim: each page cache that has failed gets rows of its own, whose pauses double with each try; if none has, nothing is left.
 * Rows that were recorded again meanwhile stay.
 */
export async function completePurges(
  db: Database,
  globals: GlobalTables,
  { owner, cache, blogIds }: PurgedPart,
  failures: readonly FailedPurge[] = [],
): Promise<void> {
  const isOwn = `owner = :owner AND blog_id IN (:blogIds) AND ${cache === '' ? IS_OF_ALL : IS_OF_CACHE}`
  const shared = { work: workTable(globals), owner, cache, blogIds: [...blogIds], ...pausesOf(db) }
  await db.write({ isWork: true, isStatement: failures.length === 0 }, async (tx) => {
    for (const failure of failures) {
      const values = {
        ...shared,
        failed: failure.cache,
        error: failure.message.slice(0, MAX_ERROR_LENGTH),
        first: inMs(db.timings.work.backoffMs),
        paused: inMs(failure.pauseMs),
      }
      const text = failure.cache === cache ? `${FAIL_AGAIN} WHERE ${isOwn}` : failAt(isOwn)
      await runStatement(tx, text, values)
    }
    await runStatement(tx, `DELETE FROM :work: WHERE ${isOwn}`, shared)
  })
}

const IS_OF_ALL = "INSTR(name, ' ') = 0"
const IS_OF_CACHE = "SUBSTRING_INDEX(name, ' ', -1) = :cache AND INSTR(name, ' ') > 0"

const FAIL_AGAIN = `UPDATE :work: SET tries = tries + 1, error = :error, owner = NULL, due_at = GREATEST(${NEXT_TRY}, :paused)`

/** A purge in progress of the same page at this page cache is repeated, as by `recordPurges`. */
const failAt = (isOwn: string): string =>
  `INSERT INTO :work: (blog_id, kind, name, version, since, tries, error, due_at)
      SELECT blog_id, kind, CONCAT(SUBSTRING_INDEX(name, ' ', 1), ' ', :failed), 0, since, 1, :error, GREATEST(:first, :paused)
        FROM :work: AS claimed WHERE ${isOwn}
    ON DUPLICATE KEY UPDATE tries = :work:.tries + 1, error = VALUES(error), owner = NULL,
      due_at = GREATEST(:work:.due_at, VALUES(due_at))`

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
