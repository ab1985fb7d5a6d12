import type { Db } from '../db/database.ts'
import { AppError } from '../host/errors.ts'
import type { Caller } from '../record/auth/authenticate.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { isSuperAdminEverywhere } from '../wordpress/users/site-membership.ts'

/** Why the caller may not use the endpoints of the network; undefined if that is allowed. */
export async function findNetworkRefusal(
  db: Db,
  globals: GlobalTables,
  { user, limits }: Caller,
): Promise<AppError | undefined> {
  if (!(await isSuperAdminEverywhere(db, globals, user)))
    return new AppError(
      'insufficient_role',
      'This token does not belong to a super administrator of the network. Use a token of one.',
    )
  if (limits.sites === null) return undefined
  return new AppError(
    'insufficient_scope',
    'This token is limited to sites, and this request concerns the network. Use a token without that limit.',
    { scope: limits.scope, required: 'all' },
  )
}
