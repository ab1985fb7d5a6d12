import { runStatement } from '../src/db/sql.ts'
import type { Tx } from '../src/db/transaction.ts'
import { listSites } from '../src/wordpress/network/find-sites.ts'
import type { GlobalTables, Site } from '../src/wordpress/network/site.ts'

/**
 * Moves every site on one host to another host, as `wp search-replace` does: the routing tables, `home` and `siteurl`, the
 * links of menu items and in contents. Serialized options stay unchanged: none that the service reads contains an address.
 * @param from host, with its port if it has one
 */
export async function changeDomain(
  tx: Tx,
  globals: GlobalTables,
  from: string,
  to: string,
): Promise<void> {
  if (from === to) return
  const sites = await listSites(tx, globals)
  for (const table of [globals.blogs, globals.site])
    await runStatement(tx, 'UPDATE :table: SET domain = :to WHERE domain = :from', {
      table,
      from,
      to,
    })
  for (const site of sites) await changeAddresses(tx, site, `://${from}/`, `://${to}/`)
}

async function changeAddresses(tx: Tx, site: Site, from: string, to: string): Promise<void> {
  const values = { ...site.tables, from, to }
  // The value may end with the host itself: a slash is appended for the search and then removed.
  await runStatement(
    tx,
    `UPDATE :options: SET option_value = TRIM(TRAILING '/' FROM REPLACE(CONCAT(option_value, '/'), :from, :to))
      WHERE option_name IN ('home', 'siteurl')`,
    values,
  )
  await runStatement(
    tx,
    'UPDATE :posts: SET guid = REPLACE(guid, :from, :to), post_content = REPLACE(post_content, :from, :to)',
    values,
  )
  await runStatement(
    tx,
    "UPDATE :postmeta: SET meta_value = REPLACE(meta_value, :from, :to) WHERE meta_key = '_menu_item_url'",
    values,
  )
}
