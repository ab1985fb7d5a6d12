import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { GlobalTables } from './site.ts'

/** The stored text of a network option. The table has no unique key: of duplicates, the oldest is read (get_network_option, option.php). */
export async function readNetworkOption(
  db: Db,
  globals: GlobalTables,
  networkId: number,
  name: string,
): Promise<string | undefined> {
  // `meta_id` is selected because the row depends on it, so that a kept result is validated with it. The column's collation compares the
  // names, as in WordPress: a key in another case is the same option.
  const [row] = await readRows<{ meta_value: string | null }>(
    db,
    `SELECT meta_value, meta_id FROM :sitemeta: WHERE site_id = :networkId AND meta_key = :name
      ORDER BY meta_id LIMIT 1`,
    { sitemeta: globals.sitemeta, networkId, name },
  )
  return row?.meta_value ?? undefined
}

/** The stored texts of options of networks, by the network's id and the key as it is stored. */
export async function readNetworkOptions(
  db: Db,
  globals: GlobalTables,
  networkIds: readonly number[],
  names: readonly string[],
): Promise<Map<number, ReadonlyMap<string, string>>> {
  const found = new Map(networkIds.map((id) => [id, new Map<string, string>()]))
  if (networkIds.length === 0) return found
  const rows = await readRows<{ site_id: number; meta_key: string; meta_value: string | null }>(
    db,
    `SELECT site_id, meta_key, meta_value, meta_id FROM :sitemeta:
      WHERE site_id IN (:networkIds) AND meta_key IN (:names) ORDER BY meta_id DESC`,
    { ...globals, networkIds, names },
  )
  // The oldest of duplicates is the last one.
  for (const { site_id, meta_key, meta_value } of rows)
    found.get(Number(site_id))?.set(meta_key, meta_value ?? '')
  return found
}
