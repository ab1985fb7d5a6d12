import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { blogPrefix, type GlobalTables } from '../network/site.ts'
import { readSiteMembership } from './site-membership.ts'
import { type User, type UserRow, userOf } from './users.ts'

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
