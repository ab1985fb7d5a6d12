import type { Caller } from '../../auth/authenticate.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { isSuperAdminEverywhere } from '../../wordpress/users/site-membership.ts'

/** Whether the caller may use the endpoints of the network. */
export async function mayManageNetwork(
  db: Db,
  globals: GlobalTables,
  { user, limits }: Caller,
): Promise<boolean> {
  return limits.sites === null && (await isSuperAdminEverywhere(db, globals, user))
}

/** @throws AppError `insufficient_role`; `insufficient_scope` for a token that is limited to sites */
export async function assertMayManageNetwork(
  db: Db,
  globals: GlobalTables,
  { user, limits }: Caller,
): Promise<void> {
  if (!(await isSuperAdminEverywhere(db, globals, user))) {
    throw new AppError(
      'insufficient_role',
      'This token does not belong to a super administrator of the network. Use a token of one.',
    )
  }
  if (limits.sites === null) return
  throw new AppError(
    'insufficient_scope',
    'This token is limited to sites, and this request concerns the network. Use a token without that limit.',
    { scope: limits.scope, required: 'all' },
  )
}
