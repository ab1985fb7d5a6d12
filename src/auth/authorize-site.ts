import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { findBlogByAddress, findMainBlog } from '../wordpress/network/find-sites.ts'
import { type GlobalTables, isClosed, type Site, siteOf } from '../wordpress/network/site.ts'
import { readSiteMembership, type SiteRights } from '../wordpress/users/site-membership.ts'
import type { Caller } from './authenticate.ts'

/** How a request names its site. */
export type SiteChoice =
  | { readonly by: 'site_id' | 'blog_id' | 'header'; readonly blogId: number }
  | { readonly by: 'domain'; readonly host: string; readonly path: string }
  | { readonly by: 'default' }

/** A site, and the rights that the caller has on it. */
export type AuthorizedSite = { readonly site: Site; readonly rights: SiteRights }

/**
 * The site that was chosen, if this caller may manage it (contract, section 5; decisions, section 2). Whether its tables are there is not
 * looked at.
 * @throws AppError `site_not_found` for a site that is missing or closed and, under `/site/<id>`, for a foreign one: the
 * same words after the same statements; `insufficient_role` for a foreign site in the old addressing
 */
export async function authorizeSite(
  db: Db,
  globals: GlobalTables,
  { user, membership: known }: Pick<Caller, 'user' | 'membership'>,
  choice: SiteChoice,
): Promise<AuthorizedSite> {
  const blogId = await chosenBlogId(db, globals, choice)
  const { blog, rights } =
    known.blogId === blogId ? known : await readSiteMembership(db, globals, user, blogId)
  const site = blog && siteOf(globals, blog)
  if (!site || isClosedTo(site, rights)) throw siteNotFound()
  if (!rights.administrator && !rights.superAdmin) throw notAuthorized(choice)
  return { site, rights }
}

/** The answer for every site that a caller can't have. */
export function siteNotFound(): AppError {
  return new AppError(
    'site_not_found',
    'There is no such site, or this token does not belong to an administrator of it. Check the site id.',
  )
}

/** The id as it was given, or of the site that was found; 0 for none. */
async function chosenBlogId(db: Db, globals: GlobalTables, choice: SiteChoice): Promise<number> {
  if ('blogId' in choice) return choice.blogId
  const found =
    choice.by === 'default'
      ? await findMainBlog(db, globals)
      : await findBlogByAddress(db, globals, choice.host, [choice.path])
  return found?.blog_id ?? 0
}

/** Deleted sites are closed to everyone, archived and spam ones to all but super administrators. */
function isClosedTo(site: Site, { superAdmin }: SiteRights): boolean {
  return site.deleted || (isClosed(site) && !superAdmin)
}

function notAuthorized({ by }: SiteChoice): AppError {
  if (by === 'site_id') return siteNotFound()
  return new AppError(
    'insufficient_role',
    'This token does not belong to an administrator of the chosen site. Choose another site or use a token of its administrator.',
  )
}
