import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { findBlog, findBlogByAddress, openSite } from '../wordpress/network/find-site.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import { findMainBlog } from '../wordpress/network/main-site.ts'
import { type BlogRow, blogPrefix, type Site } from '../wordpress/network/site.ts'
import type { User } from '../wordpress/users/find-user.ts'
import { readStanding, type Standing } from '../wordpress/users/is-administrator.ts'

/** How a request names its site. */
export type SiteChoice =
  | { readonly by: 'site_id' | 'blog_id' | 'header'; readonly blogId: number }
  | { readonly by: 'domain'; readonly host: string; readonly path: string }
  | { readonly by: 'default' }

/**
 * The site that was chosen, if this user may manage it (contract, section 5; decisions, section 2).
 * @throws AppError `site_not_found` for a site that is missing or closed and, under `/site/<id>`, for a foreign one: the
 * same words after the same statements; `insufficient_role` for a foreign site in the old addressing
 */
export async function authorizeSite(
  db: Db,
  globals: GlobalTables,
  user: User,
  choice: SiteChoice,
): Promise<Site> {
  const blog = await findChosenBlog(db, globals, choice)
  // Asked for a missing site too, so that one request can't tell a missing site from a foreign one by its duration.
  const standing = await readStanding(db, scopeOf(globals, blog), user)
  if (!blog || isClosed(blog, standing)) throw siteNotFound()
  if (!standing.administrator && !standing.superAdmin) throw refusal(choice)
  const site = await openSite(db, globals, blog)
  if (!site) throw siteNotFound()
  return site
}

/** The answer for every site that a caller can't have. */
export function siteNotFound(): AppError {
  return new AppError(
    'site_not_found',
    'There is no such site, or this token does not belong to an administrator of it. Check the site id.',
  )
}

function findChosenBlog(
  db: Db,
  globals: GlobalTables,
  choice: SiteChoice,
): Promise<BlogRow | undefined> {
  if (choice.by === 'default') return findMainBlog(db, globals)
  if (choice.by === 'domain') return findBlogByAddress(db, globals, choice.host, [choice.path])
  return findBlog(db, globals, choice.blogId)
}

const scopeOf = (globals: GlobalTables, blog: BlogRow | undefined) => ({
  globals,
  networkId: blog?.site_id ?? 0,
  prefix: blogPrefix(globals.basePrefix, blog?.blog_id ?? 0),
})

/** Deleted sites are closed to everyone, archived and spam ones to all but super administrators. */
function isClosed(blog: BlogRow, { superAdmin }: Standing): boolean {
  if (Number(blog.deleted) !== 0) return true
  return !superAdmin && (Number(blog.archived) !== 0 || Number(blog.spam) !== 0)
}

function refusal({ by }: SiteChoice): AppError {
  if (by === 'site_id') return siteNotFound()
  return new AppError(
    'insufficient_role',
    'This token does not belong to an administrator of the chosen site. Choose another site or use a token of its administrator.',
  )
}
