import type { Database, Db } from '../../db/database.ts'
import { inBatches, readRow, readRows, runStatement } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { type CacheKey, siteKey } from '../cache-keys.ts'

/** A row of `<base_prefix>svc_stale_keys` (`sql/migrations/0002-stale-keys.sql`): the keys that a committed write made stale. */
export type StaleKeys = { readonly id: number; readonly keys: readonly CacheKey[] }

type StaleKeysRow = { id: number; cache_keys: string }

/** Keys per row: less than a megabyte, well below the smallest default `max_allowed_packet` (4 MB). */
const KEYS_PER_ROW = 10_000

export const staleKeysTable = (basePrefix: string): string => `${basePrefix}svc_stale_keys`

/**
 * Stores keys in the transaction that makes them stale.
 * @returns the ids of their rows
 */
export async function storeStaleKeys(
  tx: Tx,
  table: string,
  keys: Iterable<CacheKey>,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (const batch of inBatches(keys, KEYS_PER_ROW)) {
    const { insertId } = await runStatement(
      tx,
      'INSERT INTO :table: (cache_keys, key_count, created_at) VALUES (:keys, :count, UTC_TIMESTAMP())',
      { table, keys: JSON.stringify(batch), count: batch.length },
    )
    ids.push(insertId)
  }
  return ids
}

export async function readStaleKeys(db: Db, table: string): Promise<StaleKeys[]> {
  const rows = await readRows<StaleKeysRow>(db, 'SELECT id, cache_keys FROM :table: ORDER BY id', {
    table,
  })
  return rows.map(({ id, cache_keys }) => ({ id, keys: JSON.parse(cache_keys) }))
}

/** Deletes rows whose keys were invalidated. */
export async function deleteStaleKeys(
  tx: Tx,
  table: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0)
    await runStatement(tx, 'DELETE FROM :table: WHERE id IN (:ids)', { table, ids })
}

export async function countStaleKeys(db: Db, table: string): Promise<number> {
  const row = await readRow<{ total: number | null }>(
    db,
    'SELECT SUM(key_count) AS total FROM :table:',
    { table },
  )
  return Number(row?.total ?? 0)
}

/**
 * Replaces all stored keys with a few per site on which most of WordPress's cached values depend.
 * @returns the blog ids of the sites
 */
export function mergeStaleKeys(db: Database, table: string): Promise<readonly number[]> {
  return db.write({}, async (tx) => {
    const rows = await readStaleKeys(tx, table)
    const keys = rows.flatMap((row) => row.keys)
    const blogIds = [...new Set(keys.map((key) => Number.parseInt(key, 10)))].filter(
      Number.isInteger,
    )
    const shared = keys.filter((key) => key.startsWith(':'))
    await storeStaleKeys(tx, table, new Set([...shared, ...blogIds.flatMap(coarseKeys)]))
    const merged = rows.map(({ id }) => id)
    await deleteStaleKeys(tx, table, merged)
    return blogIds
  })
}

/** The keys of autoloaded and missing options, and those on which queries for posts and terms depend. */
function coarseKeys(blogId: number): CacheKey[] {
  const site = { blogId }
  return [
    siteKey(site, 'options', 'alloptions'),
    siteKey(site, 'options', 'notoptions'),
    siteKey(site, 'posts', 'last_changed'),
    siteKey(site, 'terms', 'last_changed'),
  ]
}
