import type { Db } from '../../db/database.ts'
import { findBlog, findBlogByAddress } from './find-site.ts'
import type { BlogRow, GlobalTables } from './site.ts'
import { readNetworkOption } from './network-option.ts'

type NetworkRow = { id: number; domain: string; path: string }

/**
 * The row of `blogs` of the main site of the installation's first network: its option `main_site`, else the site at the network's own
 * address (WP_Network::get_main_site_id, as far as the database tells).
 */
export async function findMainBlog(db: Db, globals: GlobalTables): Promise<BlogRow | undefined> {
  const network: NetworkRow | undefined = await db
    .sql(globals.site)
    .select('id', 'domain', 'path')
    .orderBy('id')
    .first()
  if (!network) return undefined
  const mainSite = Number(await readNetworkOption(db, globals, network.id, 'main_site'))
  if (mainSite > 0) return findBlog(db, globals, mainSite)
  return findBlogByAddress(db, globals, network.domain, [network.path])
}
