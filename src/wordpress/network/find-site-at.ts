import type { Db } from '../../db/database.ts'
import type { Address } from '../permalinks/address.ts'
import { findBlogByAddress, siteIfInstalled } from './find-sites.ts'
import type { BlogRow, GlobalTables, Site } from './site.ts'
import type { SiteHosts } from './site-hosts.ts'
import { sitePaths } from './site-paths.ts'

/** The site that answers at an address, whatever its state: by the network's list of sites, else by the sites' own settings. */
export async function findSiteAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  address: Address,
): Promise<Site | undefined> {
  const blog = await findBlogAt(db, globals, hosts, address)
  return blog && siteIfInstalled(db, globals, blog)
}

/**
 * The row of `blogs` of the site that answers at an address.
 * @param since see `SiteHosts.find`
 */
export async function findBlogAt(
  db: Db,
  globals: GlobalTables,
  hosts: SiteHosts,
  address: Address,
  since?: number,
): Promise<BlogRow | undefined> {
  const listed = await findBlogByAddress(db, globals, address.host, sitePaths(address.segments))
  return listed ?? hosts.find(address, since)
}
