import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { GlobalTables } from '../network/global-tables.ts'
import { BLOG_COLUMNS, type BlogRow, blogPrefix } from '../network/site.ts'
import { USER_COLUMNS, type User, type UserRow, userOf } from './users.ts'
import { SITE_RIGHTS_COLUMNS, type SiteRights, type SiteRightsRow, siteRightsJoins, siteRightsOf } from './is-administrator.ts'

/** What a user meets under a blog id. */
export type SiteMembership = {
  /** As it was asked for; 0 for none. */
  readonly blogId: number
  /** Undefined where there is no such blog. */
  readonly blog: BlogRow | undefined
  readonly rights: SiteRights
}

/** A row of a statement that selects `USER_AT_BLOG_COLUMNS`: several, where what tells the standing is there twice. */
export type UserAndBlogRow = { [Column in keyof UserRow]: UserRow[Column] | null } & {
  [Column in keyof BlogRow as `blog_${Column}`]: BlogRow[Column] | null
} & SiteRightsRow

/** A user `u` and a blog `b`, which may be missing, for statements that have `userAndBlogValues`. */
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

/** What this user meets under a blog id, in one statement. */
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

/** The user of a row. */
export function userOfMembershipRow({
  ID,
  user_login,
  spam,
  deleted,
}: UserAndBlogRow): User | undefined {
  if (ID === null || user_login === null) return undefined
  return userOf({ ID, user_login, spam: Number(spam), deleted: Number(deleted) })
}

/** What rows say that this user meets. */
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
