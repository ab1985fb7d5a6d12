import type { Database, Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
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
    const [id = 0] = await tx.sql(table).insert({
      cache_keys: JSON.stringify(batch),
      key_count: batch.length,
      created_at: tx.sql.raw('UTC_TIMESTAMP()'),
    })
    ids.push(id)
  }
  return ids
}

export async function readStaleKeys({ sql }: Db, table: string): Promise<StaleKeys[]> {
  const rows: StaleKeysRow[] = await sql(table).select('id', 'cache_keys').orderBy('id')
  return rows.map(({ id, cache_keys }) => ({ id, keys: JSON.parse(cache_keys) }))
}

/** Deletes rows whose keys were invalidated. */
export async function deleteStaleKeys(
  db: Database,
  table: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await db.write({}, (tx) => tx.sql(table).whereIn('id', ids).delete())
}

export async function countStaleKeys({ sql }: Db, table: string): Promise<number> {
  const row = await sql(table).sum({ keys: 'key_count' }).first()
  return Number(row?.keys ?? 0)
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
    await tx
      .sql(table)
      .whereIn(
        'id',
        rows.map(({ id }) => id),
      )
      .delete()
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
