import type { Db } from '../../db/database.ts'
import { AppError } from '../../host/errors.ts'
import { findBlogByAddress, findMainBlog, listSites } from '../../wordpress/network/find-sites.ts'
import { type GlobalTables, isClosed, type Site, siteOf } from '../../wordpress/network/site.ts'
import {
  readRightsOnSites,
  readSiteMembership,
  type SiteRights,
} from '../../wordpress/users/site-membership.ts'
import type { AskedAccess, Caller } from './authenticate.ts'
import { includesSite, type TokenLimits } from './token-scopes.ts'

/** How a request names its site. */
export type SiteChoice =
  | { readonly by: 'site_id' | 'blog_id' | 'header'; readonly blogId: number }
  | { readonly by: 'domain'; readonly host: string; readonly path: string }
  | { readonly by: 'default' }

type SiteCaller = Pick<Caller, 'user' | 'membership' | 'limits' | 'asked'>

/** A site, and the rights that the caller has on it. */
export type AuthorizedSite<One = Caller> = {
  readonly site: Site
  readonly rights: SiteRights
  /** With the user that the token acts as on this site. */
  readonly caller: One
}

/**
 * The chosen site, if the caller may manage it. Does not check that the site's tables exist.
 * @throws AppError `site_not_found` for a site that does not exist or is closed and, below `/site/<id>`, for a site of others: with the
 * same message after the same statements, so that clients cannot find out which sites exist; `insufficient_role` for a site of others in the
 * legacy addressing
 */
export async function authorizeSite<One extends SiteCaller>(
  db: Db,
  globals: GlobalTables,
  sent: One,
  choice: SiteChoice,
): Promise<AuthorizedSite<One>> {
  const blogId = await findChosenBlogId(db, globals, choice)
  const caller = sent.asked ? await askedCallerOn(sent, sent.asked, blogId) : sent
  if (!caller) throw notAuthorized(choice)
  const { user, membership: known, limits } = caller
  const isKnown = known.blogId === blogId && user.id === sent.user.id
  const { blog, rights: stored } = isKnown
    ? known
    : await readSiteMembership(db, globals, user, blogId)
  const rights = sent.asked?.isUnnamed ? { ...stored, superAdmin: false } : stored
  const site = blog && siteOf(globals, blog)
  if (!site || isClosedToCaller(site, rights)) throw siteNotFound()
  if (!mayAdminister(site, rights, limits)) throw notAuthorized(choice)
  return { site, rights, caller }
}

/** The caller of an asked token on a site, limited to it; undefined if the token is not accepted there. */
async function askedCallerOn<One extends SiteCaller>(
  caller: One,
  asked: AskedAccess,
  blogId: number,
): Promise<One | undefined> {
  const opened = await asked.openSite(blogId)
  return opened && { ...caller, ...opened, limits: { ...caller.limits, sites: [blogId] } }
}

/** All sites that the caller may manage, by id, in four statements. */
export async function listAdministeredSites(
  db: Db,
  globals: GlobalTables,
  { user, limits, asked, isOperator }: Pick<Caller, 'user' | 'limits' | 'asked' | 'isOperator'>,
): Promise<Site[]> {
  const sites = await listSites(db, globals)
  const rightsOn = await readRightsOnSites(db, globals, user)
  return sites.filter((site) => {
    // Such a token has another user on each site, and was accepted for an administrator of each in its limits.
    const rights = isOperator ? OPERATOR : asked?.isUnnamed ? ADMINISTRATOR : rightsOn(site)
    return !isClosedToCaller(site, rights) && mayAdminister(site, rights, limits)
  })
}

const ADMINISTRATOR: SiteRights = { administrator: true, superAdmin: false }
/** Who has access to the database may do everything. */
export const OPERATOR: SiteRights = { administrator: true, superAdmin: true }

const mayAdminister = (
  { blogId }: Site,
  { administrator, superAdmin }: SiteRights,
  limits: TokenLimits,
): boolean => (administrator || superAdmin) && includesSite(limits, blogId)

/** The one error for every site that the caller may not manage. */
export function siteNotFound(): AppError {
  return new AppError(
    'site_not_found',
    'The site does not exist, or this token does not belong to one of its administrators. Check the site id.',
  )
}

/** The id in the choice, or the id of the site at the chosen address; 0 if there is none. */
export async function findChosenBlogId(
  db: Db,
  globals: GlobalTables,
  choice: SiteChoice,
): Promise<number> {
  if ('blogId' in choice) return choice.blogId
  const found =
    choice.by === 'default'
      ? await findMainBlog(db, globals)
      : await findBlogByAddress(db, globals, choice.host, [choice.path])
  return found?.blog_id ?? 0
}

/** Deleted sites are closed to every caller, archived and spam sites to all but super administrators. */
function isClosedToCaller(site: Site, { superAdmin }: SiteRights): boolean {
  return site.deleted || (isClosed(site) && !superAdmin)
}

/** The error for a site that is not the caller's. */
export function notAuthorized({ by }: SiteChoice): AppError {
  if (by === 'site_id') return siteNotFound()
  return new AppError(
    'insufficient_role',
    'This token does not belong to an administrator of the chosen site. Choose another site or use a token of its administrator.',
  )
}
