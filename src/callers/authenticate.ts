import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import { findUser, type User } from '../wordpress/users/find-user.ts'
import { hashToken, isToken } from './token.ts'
import { isLive, type TokenRow, tokensTable } from './tokens-table.ts'

/** Who calls: a user, by one of their tokens. */
export type Caller = {
  readonly tokenId: number
  readonly user: User
}

/**
 * The caller who holds this token (contract, section 5).
 * @throws AppError `missing_token` where none was sent; `invalid_token`, one answer for all, for a token of another form,
 * one that was never issued, was revoked or has expired, and for one of a user who is gone, spam or deleted
 */
export async function authenticate(
  db: Db,
  globals: GlobalTables,
  token: string | undefined,
  now: Date,
): Promise<Caller> {
  if (token === undefined) {
    throw new AppError(
      'missing_token',
      'This request carries no API token. Send one as "Authorization: Bearer <token>" or as the header X-Svc-Key.',
    )
  }
  const row = isToken(token) ? await findToken(db, globals, token) : undefined
  const user = row && isLive(row, now) ? await findUser(db, globals, row.user_id) : undefined
  if (!row || !user || user.barred) {
    throw new AppError(
      'invalid_token',
      'This API token is not valid. Check that it was copied whole (op_ and 64 characters), or ask for a new one.',
    )
  }
  return { tokenId: row.id, user }
}

type FoundToken = Pick<TokenRow, 'id' | 'user_id' | 'expires_at' | 'revoked_at'>

function findToken(db: Db, globals: GlobalTables, token: string): Promise<FoundToken | undefined> {
  return db
    .sql<TokenRow>(tokensTable(globals))
    .select('id', 'user_id', 'expires_at', 'revoked_at')
    .where({ hash: hashToken(token) })
    .first()
}
