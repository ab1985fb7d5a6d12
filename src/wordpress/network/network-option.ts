import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { GlobalTables } from './site.ts'

/** The stored text of a network option. */
export async function readNetworkOption(
  db: Db,
  globals: GlobalTables,
  networkId: number,
  name: string,
): Promise<string | undefined> {
  return (await readNetworkOptions(db, globals, [networkId], [name])).get(networkId)?.get(name)
}

/**
 * The stored texts of options of networks, by the network's id. The table has no unique key: of duplicates, the oldest is read (get_network_option,
 * option.php).
 */
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
    // `meta_id` is selected because the result depends on it, so that a kept one is validated with it.
    { ...globals, networkIds, names },
  )
  // The oldest of duplicates is the last one.
  for (const { site_id, meta_key, meta_value } of rows)
    found.get(Number(site_id))?.set(meta_key, meta_value ?? '')
  return found
}
