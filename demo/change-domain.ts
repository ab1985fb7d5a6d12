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
  await tx.sql(globals.blogs).where({ domain: from }).update({ domain: to })
  await tx.sql(globals.site).where({ domain: from }).update({ domain: to })
  for (const site of sites) await changeAddresses(tx, site, `://${from}/`, `://${to}/`)
}

async function changeAddresses(tx: Tx, site: Site, from: string, to: string): Promise<void> {
  const { options, posts, postmeta } = site.tables
  const replaced = (column: string) => tx.sql.raw('REPLACE(??, ?, ?)', [column, from, to])
  await tx
    .sql(options)
    .whereIn('option_name', ['home', 'siteurl'])
    // The value may end with the host itself: a slash is appended for the search and then removed.
    .update({
      option_value: tx.sql.raw("TRIM(TRAILING '/' FROM REPLACE(CONCAT(option_value, '/'), ?, ?))", [
        from,
        to,
      ]),
    })
  await tx.sql(posts).update({ guid: replaced('guid'), post_content: replaced('post_content') })
  await tx
    .sql(postmeta)
    .where({ meta_key: '_menu_item_url' })
    .update({ meta_value: replaced('meta_value') })
}
