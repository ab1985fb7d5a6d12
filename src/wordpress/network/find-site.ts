import type { Db } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import { BLOG_COLUMNS, type BlogRow, type GlobalTables, type Site, siteOf } from './site.ts'

/** The row of `blogs` with this blog id, in whatever state the site is. */
export function findBlog(
  db: Db,
  globals: GlobalTables,
  blogId: number,
): Promise<BlogRow | undefined> {
  return db
    .sql<BlogRow>(globals.blogs)
    .select(...BLOG_COLUMNS)
    .where({ blog_id: blogId })
    .first()
}

/**
 * The row of `blogs` at a host and a path, as WordPress routes a request (get_site_by_path, ms-load.php): the longest
 * of the paths that is a site's, on the host itself or on the host without `www.`, the longer host first.
 * @param host as in an address, port included; ports 80 and 443 are dropped
 * @param paths candidates, each beginning and ending with a slash
 */
export async function findBlogByAddress(
  db: Db,
  globals: GlobalTables,
  host: string,
  paths: readonly string[],
): Promise<BlogRow | undefined> {
  const domain = host.toLowerCase().replace(/:(?:80|443)$/, '')
  const domains = [domain, domain.replace(/^www\./, '')]
  const rows = await db
    .sql<BlogRow>(globals.blogs)
    .select(...BLOG_COLUMNS)
    .whereIn('domain', domains)
    .whereIn('path', paths)
  return rows
    .filter((row) => domains.includes(row.domain) && paths.includes(row.path))
    .sort((a, b) => b.path.length - a.path.length || b.domain.length - a.domain.length)[0]
}

/** The site of a row of `blogs`. A row whose tables are gone is no site. */
export async function siteIfInstalled(
  db: Db,
  globals: GlobalTables,
  row: BlogRow,
): Promise<Site | undefined> {
  const site = siteOf(globals, row)
  return (await hasTables(db, site)) ? site : undefined
}

/** Whether a site's tables are there, of which the options stand for all. */
export async function hasTables(db: Db, { tables }: Site): Promise<boolean> {
  try {
    await db.sql(tables.options).first(db.sql.raw('1'))
    return true
  } catch (error) {
    if (isMissingTable(error)) return false
    throw error
  }
}

/** The site with this blog id, in whatever state it is; undefined where there is none. */
export async function findSite(
  db: Db,
  globals: GlobalTables,
  blogId: number,
): Promise<Site | undefined> {
  const row = await findBlog(db, globals, blogId)
  return row && siteIfInstalled(db, globals, row)
}
