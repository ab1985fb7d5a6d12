import type { Database, Db } from '../../db/database.ts'
import { inMs } from '../../db/lease.ts'
import { inBatches, readRows, runStatement } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { groupBy } from '../../host/group-by.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import type { WorkSite } from './due-work.ts'
import { IS_EMPTY, NOW, workTables } from './work-tables.ts'

// Which page caches have to purge a page by tag is part of its row: the ids of the page caches, or `*` for all of them. Page 0 is the whole site. Each page
// cache has a task, so that one that is away keeps no other from its purges.

/** The name of the task of a page cache. @param cache its id: letters and digits */
export const purgeTask = (cache: string): string => `${PURGE_TASK}${cache}`

export const PURGE_TASK = 'purge:'

/** A page, or a whole site, that a page cache has to purge. */
export type WantedPurge = {
  readonly blogId: number
  /** Undefined for all pages of the site. */
  readonly page: number | undefined
  /** How often it was asked for: a purge in progress is repeated if that has changed. */
  readonly purges: number
}

/** Sites that are purged together. */
export const MAX_PURGED_SITES = 1000

/** Rows in one statement. */
const ROWS_PER_STATEMENT = 500
const ALL = '*'
const WHOLE_SITE = 0

/**
 * Records that all page caches have to purge pages, as the last step of what has changed them.
 * @param pages their ids, or `all` for the whole site
 */
export function recordPurges(
  tx: Tx,
  { blogId, globals }: WorkSite,
  pages: readonly number[] | 'all',
): void {
  for (const batch of inBatches(pages === 'all' ? [WHOLE_SITE] : pages, ROWS_PER_STATEMENT))
    tx.later(
      `INSERT INTO :pages: (blog_id, page_id, purge_by, purges, purge_since) VALUES :rows
        ON DUPLICATE KEY UPDATE purge_since = IF(purge_by IS NULL, VALUES(purge_since), purge_since), purge_by = VALUES(purge_by), purges = purges + 1`,
      { ...workTables(globals), rows: batch.map((page) => [blogId, page, ALL, 1, NOW]) },
    )
}

/** Whether a page cache has anything to purge. */
export async function hasPurges(db: Db, globals: GlobalTables): Promise<boolean> {
  const any = 'SELECT 1 FROM :pages: WHERE purge_by IS NOT NULL LIMIT 1'
  const rows = await readRows(db, any, workTables(globals))
  return rows.length > 0
}

const isOf = (id: string) => `(purge_by = '${ALL}' OR FIND_IN_SET(${id}, purge_by))`

/**
 * What a page cache has to purge, of the sites that have waited longest. Not what a page cache before it has to purge as well, unless that one fails: this one
 * would take the old page from it.
 * @param before the ids of the page caches before it
 */
export async function readPurges(
  db: Db,
  globals: GlobalTables,
  cache: string,
  before: readonly string[],
): Promise<WantedPurge[]> {
  const values = {
    ...workTables(globals),
    cache,
    before: ['', ...before],
    names: ['', ...before.map(purgeTask)],
  }
  const failing = await readRows<{ name: string }>(
    db,
    'SELECT name FROM :tasks: WHERE name IN (:names) AND tries > 0',
    values,
  )
  const others = before.filter((id) => !failing.some(({ name }) => name === purgeTask(id)))
  const condition = others.map((_, index) => `AND NOT ${isOf(`:other${index}`)}`).join(' ')
  const wanted = `purge_by IS NOT NULL AND ${isOf(':cache')} ${condition}`
  const all = { ...values, ...Object.fromEntries(others.map((id, index) => [`other${index}`, id])) }
  const sites = await readRows<{ blog_id: number }>(
    db,
    `SELECT blog_id FROM :pages: WHERE ${wanted} GROUP BY blog_id ORDER BY MIN(purge_since) LIMIT ${MAX_PURGED_SITES}`,
    all,
  )
  if (sites.length === 0) return []
  const rows = await readRows<{ blog_id: number; page_id: number; purges: number }>(
    db,
    `SELECT blog_id, page_id, purges FROM :pages: WHERE blog_id IN (:blogIds) AND ${wanted} ORDER BY blog_id, page_id`,
    { ...all, blogIds: sites.map(({ blog_id }) => blog_id) },
  )
  return rows.map(({ blog_id, page_id, purges }) => ({
    blogId: blog_id,
    page: page_id === WHOLE_SITE ? undefined : page_id,
    purges,
  }))
}

/** The page caches of a network, by their ids in the order in which they are purged. */
export type PurgedBy = {
  readonly cache: string
  readonly all: readonly string[]
  /** This one has failed before: those behind it may have taken a page from it meanwhile, so they purge again. */
  readonly hasFailed: boolean
}

/** A page cache has purged these. What was asked for again meanwhile stays. */
export async function completePurges(
  tx: Tx,
  globals: GlobalTables,
  purged: readonly WantedPurge[],
  { cache, all, hasFailed }: PurgedBy,
): Promise<void> {
  const behind = hasFailed ? all.slice(all.indexOf(cache) + 1) : []
  const values = workTables(globals)
  for (const batch of inBatches(purged, ROWS_PER_STATEMENT)) {
    const keys = batch.map(({ blogId, page = WHOLE_SITE, purges }) => [blogId, page, purges])
    const rows = await readRows<{
      blog_id: number
      page_id: number
      purges: number
      purge_by: string
    }>(
      tx,
      `SELECT blog_id, page_id, purges, purge_by FROM :pages:
        WHERE (blog_id, page_id, purges) IN (:keys) AND purge_by IS NOT NULL FOR UPDATE`,
      { ...values, keys },
    )
    const leftOf = ({ purge_by }: { readonly purge_by: string }) => {
      const caches = purge_by === ALL ? all : purge_by.split(',')
      const left = all.filter((id) => id !== cache && (caches.includes(id) || behind.includes(id)))
      return left.join()
    }
    for (const [left, alike] of groupBy(rows, leftOf)) {
      const own = alike.map(({ blog_id, page_id }) => [blog_id, page_id])
      const assignment = left === '' ? 'purge_by = NULL, purge_since = NULL' : 'purge_by = :left'
      tx.later(`UPDATE :pages: SET ${assignment} WHERE (blog_id, page_id) IN (:own)`, {
        ...values,
        own,
        left,
      })
      if (left === '')
        tx.later(`DELETE FROM :pages: WHERE (blog_id, page_id) IN (:own) AND ${IS_EMPTY}`, {
          ...values,
          own,
        })
    }
  }
}

/** Asks all page caches for what only page caches have to purge that are no longer there. @param known the ids of those that are */
export async function reclaimPurges(
  tx: Tx,
  globals: GlobalTables,
  known: readonly string[],
): Promise<void> {
  const isKnown = known.map((_, index) => isOf(`:known${index}`)).join(' OR ')
  tx.later(
    `UPDATE :pages: SET purge_by = '${ALL}' WHERE purge_by IS NOT NULL AND NOT (${isKnown})`,
    {
      ...workTables(globals),
      ...Object.fromEntries(known.map((id, index) => [`known${index}`, id])),
    },
  )
}

/**
 * Lets page caches that have failed be tried again soon, because there is more to purge; not those that have asked for a pause (`PAUSED`).
 */
export async function hastenPurges(db: Database, globals: GlobalTables): Promise<void> {
  await db.write({ isWork: true, isStatement: true }, async (tx) => {
    await runStatement(
      tx,
      `UPDATE :tasks: SET due_at = LEAST(due_at, :soon)
        WHERE name LIKE '${PURGE_TASK}%' AND owner IS NULL AND tries > 0 AND (state IS NULL OR state <> :paused)`,
      { ...workTables(globals), soon: inMs(db.timings.work.backoffMs), paused: PAUSED },
    )
  })
}

/** The state of the task of a page cache that has asked for a pause. */
export const PAUSED = '"paused"'

/** Forgets all recorded purges: they are not to be sent any more. */
export async function forgetPurges(tx: Tx, globals: GlobalTables): Promise<void> {
  const values = workTables(globals)
  tx.later(
    'UPDATE :pages: SET purge_by = NULL, purge_since = NULL WHERE purge_by IS NOT NULL',
    values,
  )
  tx.later(`DELETE FROM :pages: WHERE ${IS_EMPTY}`, values)
}
