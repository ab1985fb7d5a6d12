import type { Db } from '../../db/database.ts'
import { readRow, readRows } from '../../db/sql.ts'
import type { GlobalTables, Site } from '../network/site.ts'

export type User = {
  readonly id: number
  /** `user_login`: super administrators are listed by it. */
  readonly login: string
  /** Marked as spam or deleted: may not log in (is_user_spammy, user.php). */
  readonly isBlocked: boolean
}

/** The columns of a `users` row that are read. */
export type UserRow = { ID: number; user_login: string; spam: number; deleted: number }

export const USER_COLUMNS = ['ID', 'user_login', 'spam', 'deleted'] as const

export async function findUser(
  db: Db,
  globals: GlobalTables,
  id: number,
): Promise<User | undefined> {
  const { users } = globals
  return userOf(
    await readRow<UserRow>(db, `SELECT ${USER_COLUMNS} FROM :users: WHERE ID = :id`, { users, id }),
  )
}

/** The user with this login name, compared exactly and not by the column's collation. */
export async function findUserByLogin(
  db: Db,
  globals: GlobalTables,
  login: string,
): Promise<User | undefined> {
  return (await findUsersByLogin(db, globals, [login])).get(login)
}

/** The users with these login names, compared exactly, by login. Of users with the same one, the oldest is taken. */
export async function findUsersByLogin(
  db: Db,
  globals: GlobalTables,
  logins: readonly string[],
): Promise<Map<string, User>> {
  if (logins.length === 0) return new Map()
  const wanted = new Set(logins)
  const rows = await readRows<UserRow>(
    db,
    `SELECT ${USER_COLUMNS} FROM :users: WHERE user_login IN (:logins) ORDER BY ID DESC`,
    { users: globals.users, logins: [...wanted] },
  )
  const users = rows.flatMap((row) => userOf(row) ?? [])
  return new Map(users.filter(({ login }) => wanted.has(login)).map((user) => [user.login, user]))
}

export function userOf(row: UserRow | undefined): User | undefined {
  if (!row) return undefined
  const isBlocked = Number(row.spam) !== 0 || Number(row.deleted) !== 0
  return { id: row.ID, login: row.user_login, isBlocked }
}

/** The logins of these users, by id. A deleted user has none. */
export async function readLogins(
  db: Db,
  globals: GlobalTables,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const select = 'SELECT ID, user_login FROM :users: WHERE ID IN (:ids)'
  const rows = await readRows<UserRow>(db, select, { ...globals, ids })
  return new Map(rows.map((row) => [row.ID, row.user_login]))
}

/**
 * The displayed names of these users, by id. A deleted user has none.
 * @param sees only users with a role on this site, and the one with this id [all users]
 */
export async function readDisplayNames(
  db: Db,
  { users, usermeta }: GlobalTables,
  ids: readonly number[],
  sees: { readonly onSite?: Pick<Site, 'prefix'>; readonly orId?: number } = {},
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { onSite, orId = 0 } = sees
  const hasRole =
    'AND (u.ID = :orId OR EXISTS (SELECT 1 FROM :usermeta: m WHERE m.user_id = u.ID AND m.meta_key = :capabilities))'
  const rows = await readRows<{ ID: number; display_name: string; user_login: string }>(
    db,
    `SELECT u.ID, u.display_name, u.user_login FROM :users: u WHERE u.ID IN (:ids) ${onSite ? hasRole : ''}`,
    { users, usermeta, ids: [...ids], orId, capabilities: `${onSite?.prefix ?? ''}capabilities` },
  )
  return new Map(rows.map((row) => [row.ID, row.display_name || row.user_login]))
}
