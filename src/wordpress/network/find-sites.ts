import type { Db } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import { escapeLike, readRow, readRows } from '../../db/sql.ts'
import { readEngines } from '../../db/table-engines.ts'
import { groupBy } from '../../host/group-by.ts'
import { parseUrl } from '../../host/parse-url.ts'
import { trimEnd } from '../formatting/plain-text.ts'
import { readOptions } from '../options/read-options.ts'
import { readNetworkOption } from './network-option.ts'
import {
  BLOG_COLUMNS,
  type BlogRow,
  blogPrefix,
  type GlobalTables,
  type Site,
  siteOf,
} from './site.ts'

/** The row of `blogs` with this blog id, in any state. */
export function findBlog(
  db: Db,
  globals: GlobalTables,
  blogId: number,
): Promise<BlogRow | undefined> {
  return readRow<BlogRow>(db, `SELECT ${BLOG_COLUMNS} FROM :blogs: WHERE blog_id = :blogId`, {
    blogs: globals.blogs,
    blogId,
  })
}

/** A host and the candidate paths on it. */
export type BlogAddress = {
  /** As in a URL, port included; ports 80 and 443 are removed. */
  readonly host: string
  /** Each with a slash at the beginning and the end. */
  readonly paths: readonly string[]
}

/**
 * The row of `blogs` at a host and path, as WordPress routes a request (get_site_by_path, ms-load.php): the longest path that belongs to a
 * site, on the host or on the host without `www.`, the longer host first.
 * @param host and paths: see `BlogAddress`
 */
export async function findBlogByAddress(
  db: Db,
  globals: GlobalTables,
  host: string,
  paths: readonly string[],
): Promise<BlogRow | undefined> {
  const [found] = await findBlogsByAddress(db, globals, [{ host, paths }])
  return found
}

/** Like `findBlogByAddress` for each of these addresses, in order, in one statement. */
export async function findBlogsByAddress(
  db: Db,
  globals: GlobalTables,
  addresses: readonly BlogAddress[],
): Promise<(BlogRow | undefined)[]> {
  if (addresses.length === 0) return []
  const wanted = addresses.map(({ host, paths }) => ({ domains: blogDomains(host), paths }))
  const domains = [...new Set(wanted.flatMap((one) => one.domains))]
  const allPaths = [...new Set(wanted.flatMap(({ paths }) => paths))]
  if (domains.length === 0 || allPaths.length === 0) return wanted.map(() => undefined)
  const rows = await readRows<BlogRow>(
    db,
    `SELECT ${BLOG_COLUMNS} FROM :blogs: WHERE domain IN (:domains) AND path IN (:allPaths)`,
    { blogs: globals.blogs, domains, allPaths },
  )
  // A thousand addresses on the host of a thousand sites: look paths up instead of comparing all with all. The columns' collation ignores case: an
  // address that an administrator typed may have capitals.
  const byPath = groupBy(rows, ({ path }) => path.toLowerCase())
  return wanted.map(
    ({ domains, paths }) =>
      [...new Set(paths.map((path) => path.toLowerCase()))]
        .flatMap((path) => byPath.get(path) ?? [])
        .filter((row) => domains.includes(row.domain.toLowerCase()))
        .sort(byPrecedence)[0],
  )
}

/** The column's collation allows paths that differ by case only: of these, the site with the lowest id comes first. */
function byPrecedence(a: BlogRow, b: BlogRow): number {
  return b.path.length - a.path.length || b.domain.length - a.domain.length || a.blog_id - b.blog_id
}

/** The domains at which `blogs` may have a host: itself, and without `www.`. */
export function blogDomains(host: string): string[] {
  const domain = host.toLowerCase().replace(/:(?:80|443)$/, '')
  return [domain, domain.replace(/^www\./, '')]
}

/** The site of a row of `blogs`; undefined if its tables do not exist. */
export async function siteIfInstalled(
  db: Db,
  globals: GlobalTables,
  row: BlogRow,
): Promise<Site | undefined> {
  const site = siteOf(globals, row)
  return (await hasTables(db, site)) ? site : undefined
}

/** Whether a site's tables exist. Only the options table is checked. */
export async function hasTables(db: Db, { tables }: Site): Promise<boolean> {
  try {
    await readRows(db, 'SELECT 1 FROM :options: LIMIT 1', { options: tables.options })
    return true
  } catch (error) {
    if (isMissingTable(error)) return false
    throw error
  }
}

/** The site with this blog id, in any state; undefined if it does not exist. */
export async function findSite(
  db: Db,
  globals: GlobalTables,
  blogId: number,
): Promise<Site | undefined> {
  const row = await findBlog(db, globals, blogId)
  return row && siteIfInstalled(db, globals, row)
}

/** The rows of `blogs` by id, in any state, also of sites without tables. @param page at most `limit` rows, of sites with higher ids than `after` [all] */
export function readBlogs(
  db: Db,
  globals: GlobalTables,
  page?: { readonly after: number; readonly limit: number },
): Promise<BlogRow[]> {
  const select = `SELECT ${BLOG_COLUMNS} FROM :blogs:`
  const { blogs } = globals
  return page
    ? readRows(db, `${select} WHERE blog_id > :after ORDER BY blog_id LIMIT :limit`, {
        blogs,
        ...page,
      })
    : readRows(db, `${select} ORDER BY blog_id`, { blogs })
}

/** The sites with these blog ids, in any state, also without tables. */
export async function findSites(
  db: Db,
  globals: GlobalTables,
  blogIds: readonly number[],
): Promise<Site[]> {
  if (blogIds.length === 0) return []
  const rows = await readRows<BlogRow>(
    db,
    `SELECT ${BLOG_COLUMNS} FROM :blogs: WHERE blog_id IN (:blogIds)`,
    { blogs: globals.blogs, blogIds: [...blogIds] },
  )
  return rows.map((row) => siteOf(globals, row))
}

/** The number of rows of `blogs`. */
export async function countBlogs(db: Db, globals: GlobalTables): Promise<number> {
  const row = await readRow<{ count: number }>(db, 'SELECT COUNT(*) AS count FROM :blogs:', {
    blogs: globals.blogs,
  })
  return Number(row?.count)
}

/** Which of these sites have tables, by blog id. One statement, whose time does not depend on the number of other sites; only the options tables are checked. */
export async function findInstalled(
  db: Db,
  globals: GlobalTables,
  blogIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (blogIds.length === 0) return new Set()
  const optionsOf = (blogId: number) => `${blogPrefix(globals.basePrefix, blogId)}options`
  const engines = await readEngines(db, blogIds.map(optionsOf))
  // Servers with case-insensitive table names report them in lower case.
  const existing = new Set(engines.map(({ name }) => name.toLowerCase()))
  return new Set(blogIds.filter((blogId) => existing.has(optionsOf(blogId).toLowerCase())))
}

/**
 * The rows of `blogs` by id, with whether their tables exist. Two statements for any number of sites, one of which goes through the names of
 * all tables; only the options tables are checked.
 */
export async function listBlogs(
  db: Db,
  globals: GlobalTables,
): Promise<{ readonly row: BlogRow; readonly isInstalled: boolean }[]> {
  const rows = await readBlogs(db, globals)
  const optionsOf = ({ blog_id }: BlogRow) => `${blogPrefix(globals.basePrefix, blog_id)}options`
  if (rows.length === 0) return []
  const tables = await readRows<{ name: string }>(
    db,
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name IN (:names)`,
    { names: rows.map(optionsOf) },
  )
  // Servers with case-insensitive table names report them in lower case.
  const existing = new Set(tables.map(({ name }) => name.toLowerCase()))
  return rows.map((row) => ({ row, isInstalled: existing.has(optionsOf(row).toLowerCase()) }))
}

/** All sites of the installation in any state, by id. */
export async function listSites(db: Db, globals: GlobalTables): Promise<Site[]> {
  const blogs = await listBlogs(db, globals)
  return blogs.filter(({ isInstalled }) => isInstalled).map(({ row }) => siteOf(globals, row))
}

/** The sites that can be managed, by id: archived sites and spam too, but no deleted or unactivated ones. */
export async function listManageableSites(db: Db, globals: GlobalTables): Promise<Site[]> {
  return (await listSites(db, globals)).filter(({ deleted }) => !deleted)
}

type NetworkRow = { id: number; domain: string; path: string }

/**
 * The row of `blogs` of the main site of the installation's first network: its option `main_site`, else the site at the network's own URL
 * (WP_Network::get_main_site_id, without the constants of wp-config.php).
 */
export async function findMainBlog(db: Db, globals: GlobalTables): Promise<BlogRow | undefined> {
  const network = await readRow<NetworkRow>(
    db,
    'SELECT id, domain, path FROM :site: ORDER BY id LIMIT 1',
    { site: globals.site },
  )
  if (!network) return undefined
  const mainSite = Number(await readNetworkOption(db, globals, network.id, 'main_site'))
  if (mainSite > 0) return findBlog(db, globals, mainSite)
  return findBlogByAddress(db, globals, network.domain, [network.path])
}

/**
 * A site's home URL, without a slash at the end: its option `home`, or `siteurl` if that is empty (get_option, option.php). All links are
 * built from it, never from domain and path.
 */
export async function readHome(db: Db, site: Site): Promise<string> {
  return homeIn(await readOptions(db, site, ['home', 'siteurl']))
}

/** The same from the site's options `home` and `siteurl`. */
export function homeIn(options: ReadonlyMap<string, string>): string {
  return trimEnd(options.get('home') || options.get('siteurl') || '', '/')
}

/** The paths of the other sites on the host of a site's `home`, in any state, each with a slash at the beginning and the end. */
export async function listOtherPaths(
  db: Db,
  { blogId, globals }: Site,
  home: string,
): Promise<readonly string[]> {
  const rows = await readRows<{ path: string }>(
    db,
    'SELECT path FROM :blogs: WHERE domain = :host AND NOT blog_id = :blogId',
    { blogs: globals.blogs, host: parseUrl(home)?.host ?? '', blogId },
  )
  return rows.map(({ path }) => path)
}

/** The paths of the other sites below the address of a site, in any state and in lower case. Requests below them reach these sites. */
export async function listPathsBelow(
  db: Db,
  { blogId, globals, domain, path }: Site,
): Promise<readonly string[]> {
  const rows = await readRows<{ path: string }>(
    db,
    'SELECT path FROM :blogs: WHERE domain = :domain AND path LIKE :below AND NOT blog_id = :blogId',
    { blogs: globals.blogs, domain, below: `${escapeLike(path)}_%`, blogId },
  )
  return rows.map(({ path }) => path.toLowerCase())
}
