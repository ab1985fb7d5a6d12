import type { Db } from '../db/database.ts'
import { findBlogByAddress, openSite } from '../wordpress/network/find-site.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import type { Site } from '../wordpress/network/site.ts'

/** The site that answers at a host and a path, if visitors may see it: not archived, spam or deleted (ms_site_check). */
export async function findSiteAt(
  db: Db,
  globals: GlobalTables,
  host: string,
  path: string,
): Promise<Site | undefined> {
  const [first] = path.split('/').filter((name) => name !== '')
  const paths = first === undefined ? ['/'] : ['/', `/${first}/`]
  const blog = await findBlogByAddress(db, globals, host, paths)
  const site = blog && (await openSite(db, globals, blog))
  return site && !site.archived && !site.spam && !site.deleted ? site : undefined
}
