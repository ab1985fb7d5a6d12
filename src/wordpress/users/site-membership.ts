import type { Db } from '../../db/database.ts'
import { escapeLike, readRows } from '../../db/sql.ts'
import { BLOG_COLUMNS, type BlogRow, blogPrefix, type GlobalTables } from '../network/site.ts'
import { storedArray } from '../stored-value.ts'
import { USER_COLUMNS, type User, type UserRow, userOf } from './users.ts'

/** Where a user's rights are stored: under the table prefix of a site and in its network. */
export type RightsScope = {
  readonly prefix: string
  readonly networkId: number
  readonly globals: GlobalTables
}

export type SiteRights = {
  /** The user's `<prefix>capabilities` have `administrator` set to a true value. */
  readonly administrator: boolean
  /** The user's login is in `site_admins` of the site's network (is_super_admin, capabilities.php). */
  readonly superAdmin: boolean
}

/** The super administrators if the network option is missing (get_super_admins). */
const DEFAULT_SUPER_ADMINS = ['admin']

/** Whether the user is a super administrator of every network of the installation. */
export async function isSuperAdminEverywhere(
  db: Db,
  globals: GlobalTables,
  user: User,
): Promise<boolean> {
  const networks = await readRows<{ id: number }>(db, 'SELECT id FROM :site:', {
    site: globals.site,
  })
  const { basePrefix: prefix } = globals
  for (const { id: networkId } of networks) {
    const { superAdmin } = await readSiteRights(db, { globals, prefix, networkId }, user)
    if (!superAdmin) return false
  }
  return true
}

/** Reads the user's rights on a site in one statement. */
export async function readSiteRights(db: Db, scope: RightsScope, user: User): Promise<SiteRights> {
  const { globals, prefix, networkId } = scope
  const { usermeta, sitemeta } = globals
  const rows = await readRows<SiteRightsRow>(
    db,
    `SELECT ${SITE_RIGHTS_COLUMNS} FROM (SELECT 1) one ${siteRightsJoins(':userId', ':networkId')}`,
    { usermeta, sitemeta, capabilities: `${prefix}capabilities`, userId: user.id, networkId },
  )
  return siteRightsOf(rows, user.login)
}

/**
 * Reads the user's rights on all sites in two statements. Of duplicate values WordPress reads the oldest, which comes last here.
 * @returns the rights on a site, read or not
 */
export async function readRightsOnSites(
  db: Db,
  { basePrefix, usermeta, sitemeta }: GlobalTables,
  user: User,
): Promise<(site: Pick<RightsScope, 'prefix' | 'networkId'>) => SiteRights> {
  const [roles, superAdmins] = await Promise.all([
    readRows<{ name: string; text: string | null }>(
      db,
      'SELECT meta_key AS name, meta_value AS text FROM :usermeta: WHERE user_id = :userId AND meta_key LIKE :pattern ORDER BY umeta_id DESC',
      { usermeta, userId: user.id, pattern: `${escapeLike(basePrefix)}%capabilities` },
    ),
    readRows<{ networkId: number; text: string | null }>(
      db,
      "SELECT site_id AS networkId, meta_value AS text FROM :sitemeta: WHERE meta_key = 'site_admins' ORDER BY meta_id DESC",
      { sitemeta },
    ),
  ])
  const roleTexts = new Map(roles.map(({ name, text }) => [name, text]))
  const networks = new Map(
    superAdmins.map(({ networkId, text }) => [networkId, isSuperAdmin(text, user.login)]),
  )
  return ({ prefix, networkId }) => ({
    administrator: isAdministrator(roleTexts.get(`${prefix}capabilities`)),
    superAdmin: networks.get(networkId) ?? isSuperAdmin(undefined, user.login),
  })
}

/** A row of the values that determine a user's rights; there is one row for each pair of duplicates. */
type SiteRightsRow = {
  readonly umeta_id: number | null
  readonly capabilities: string | null
  readonly meta_id: number | null
  readonly site_admins: string | null
}

const SITE_RIGHTS_COLUMNS =
  'um.umeta_id, um.meta_value AS capabilities, sm.meta_id, sm.meta_value AS site_admins'

/**
 * The joins of a statement that selects `SITE_RIGHTS_COLUMNS`. Its named values are the tables `usermeta` and `sitemeta`, and
 * `capabilities`, the key of the user's role on the site. WordPress compares this key in PHP, exactly, and not by the column's collation.
 * @param userId, networkId SQL expressions for these ids
 */
function siteRightsJoins(userId: string, networkId: string): string {
  return `
    LEFT JOIN :usermeta: um ON um.user_id = ${userId} AND um.meta_key = :capabilities
      AND CAST(um.meta_key AS BINARY) = CAST(:capabilities AS BINARY)
    LEFT JOIN :sitemeta: sm ON sm.site_id = ${networkId} AND sm.meta_key = 'site_admins'`
}

/** The rights of the user with this login. Of duplicate values WordPress reads the oldest. */
function siteRightsOf(rows: readonly SiteRightsRow[], login: string): SiteRights {
  return {
    administrator: isAdministrator(oldest(rows, 'umeta_id')?.capabilities),
    superAdmin: isSuperAdmin(oldest(rows, 'meta_id')?.site_admins, login),
  }
}

/** @param capabilities the stored text of the user's role on a site */
function isAdministrator(capabilities: string | null | undefined): boolean {
  const role = storedArray(capabilities).get('administrator')
  return Boolean(role) && role !== '0'
}

/** @param siteAdmins the stored text of the network option `site_admins` */
function isSuperAdmin(siteAdmins: string | null | undefined, login: string): boolean {
  const logins =
    typeof siteAdmins === 'string' ? [...storedArray(siteAdmins).values()] : DEFAULT_SUPER_ADMINS
  return logins.includes(login)
}

function oldest(
  rows: readonly SiteRightsRow[],
  id: 'umeta_id' | 'meta_id',
): SiteRightsRow | undefined {
  return [...rows].sort((a, b) => Number(a[id]) - Number(b[id]))[0]
}

/** A user's relation to the site with a blog id. */
export type SiteMembership = {
  /** The requested blog id; 0 for none. */
  readonly blogId: number
  /** Undefined if the blog does not exist. */
  readonly blog: BlogRow | undefined
  readonly rights: SiteRights
}

/** A row of a statement that selects `USER_AND_BLOG_COLUMNS`. Duplicates of the values that determine rights give several rows. */
export type UserAndBlogRow = { [Column in keyof UserRow]: UserRow[Column] | null } & {
  [Column in keyof BlogRow as `blog_${Column}`]: BlogRow[Column] | null
} & SiteRightsRow

/** Joins a user `u` and a blog `b`, which may be missing. The statement needs `userAndBlogValues`. */
export const USER_AND_BLOG = `
  :users: u LEFT JOIN :blogs: b ON b.blog_id = :blogId ${siteRightsJoins('u.ID', 'b.site_id')}`

export const USER_AND_BLOG_COLUMNS = [
  ...USER_COLUMNS.map((column) => `u.${column}`),
  ...BLOG_COLUMNS.map((column) => `b.${column} AS blog_${column}`),
  SITE_RIGHTS_COLUMNS,
].join()

export function userAndBlogValues(globals: GlobalTables, blogId: number) {
  const { users, blogs, usermeta, sitemeta, basePrefix } = globals
  const capabilities = `${blogPrefix(basePrefix, blogId)}capabilities`
  return { users, blogs, usermeta, sitemeta, capabilities, blogId }
}

/** Reads the membership of a user in one statement. */
export async function readSiteMembership(
  db: Db,
  globals: GlobalTables,
  user: User,
  blogId: number,
): Promise<SiteMembership> {
  const rows = await readRows<UserAndBlogRow>(
    db,
    `SELECT ${USER_AND_BLOG_COLUMNS} FROM ${USER_AND_BLOG} WHERE u.ID = :userId`,
    { ...userAndBlogValues(globals, blogId), userId: user.id },
  )
  return siteMembershipOf(rows, user, blogId)
}

/** The user of a row; undefined if the row has none. */
export function userOfMembershipRow({
  ID,
  user_login,
  spam,
  deleted,
}: UserAndBlogRow): User | undefined {
  if (ID === null || user_login === null) return undefined
  return userOf({ ID, user_login, spam: Number(spam), deleted: Number(deleted) })
}

/** The membership of the user, from the rows of a statement. */
export function siteMembershipOf(
  rows: readonly UserAndBlogRow[],
  user: User,
  blogId: number,
): SiteMembership {
  const [row] = rows
  return { blogId, blog: row && blogOfMembershipRow(row), rights: siteRightsOf(rows, user.login) }
}

function blogOfMembershipRow(row: UserAndBlogRow): BlogRow | undefined {
  if (row.blog_blog_id === null) return undefined
  const fields = BLOG_COLUMNS.map((column) => [column, row[`blog_${column}`]])
  return Object.fromEntries(fields)
}

/** Users whose rights are read until one is found. */
const MAX_CANDIDATES = 50

/** The administrator of a site with the lowest id who is not a super administrator, and may log in. */
export async function findOrdinaryAdministrator(
  db: Db,
  globals: GlobalTables,
  blogId: number,
): Promise<User | undefined> {
  const rows = await readRows<UserRow>(
    db,
    `SELECT u.ID, u.user_login, u.spam, u.deleted FROM :usermeta: m JOIN :users: u ON u.ID = m.user_id
      WHERE m.meta_key = :capabilities AND m.meta_value LIKE '%"administrator"%' AND u.spam = 0 AND u.deleted = 0
      ORDER BY u.ID LIMIT :limit`,
    {
      ...globals,
      capabilities: `${blogPrefix(globals.basePrefix, blogId)}capabilities`,
      limit: MAX_CANDIDATES,
    },
  )
  for (const row of rows) {
    const user = userOf(row)
    if (!user) continue
    const { blog, rights } = await readSiteMembership(db, globals, user, blogId)
    if (blog && rights.administrator && !rights.superAdmin) return user
  }
  return undefined
}
