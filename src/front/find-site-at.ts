import type { Db } from '../db/database.ts'
import { findBlogByAddress, openSite } from '../wordpress/network/find-site.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import type { Site } from '../wordpress/network/site.ts'
import { sitePaths } from '../wordpress/network/site-paths.ts'
import type { Address } from '../wordpress/permalinks/address.ts'
import type { SiteHosts } from './site-hosts.ts'

/** The site that answers at an address, whatever its state: by the network's list of sites, else by the sites' own settings. */
export async function findSiteAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  address: Address,
): Promise<Site | undefined> {
  const blog = await findBlogByAddress(db, globals, address.host, sitePaths(address.names))
  return blog ? openSite(db, globals, blog) : hosts.find(address)
}
