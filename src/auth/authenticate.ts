import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import {
  type SiteMembership,
  siteMembershipOf,
  USER_AND_BLOG,
  USER_AND_BLOG_COLUMNS,
  type UserAndBlogRow,
  userAndBlogValues,
  userOfMembershipRow,
} from '../wordpress/users/site-membership.ts'
import type { User } from '../wordpress/users/users.ts'
import { hashToken, isActive, isTokenFormat, type TokenRow, tokensTable } from './tokens.ts'

/** Who calls: a user, by one of their tokens. */
export type Caller = {
  readonly tokenId: number
  readonly user: User
  /** The user's membership of the site that the request seems to be for, read in the statement that reads the token. */
  readonly membership: SiteMembership
}

/**
 * The caller who holds this token (contract, section 5), in one statement: asked for each request, so that a token is refused from the moment
 * that it is revoked, whichever instance is asked.
 * @param blogId the site that the request seems to be for; 0 where that is not known yet
 * @throws AppError `missing_token` where none was sent; `invalid_token`, one answer for all, for a token of another form,
 * one that was never issued, was revoked or has expired, and for one of a user who is gone, spam or deleted
 */
export async function authenticate(
  db: Db,
  globals: GlobalTables,
  token: string | undefined,
  now: Date,
  blogId = 0,
): Promise<Caller> {
  if (token === undefined) {
    throw new AppError(
      'missing_token',
      'This request carries no API token. Send one as "Authorization: Bearer <token>" or as the header X-Svc-Key.',
    )
  }
  const rows = isTokenFormat(token) ? await readTokenRows(db, globals, token, blogId) : []
  const [row] = rows
  const user = row && isActive(row, now) ? userOfMembershipRow(row) : undefined
  if (!row || !user || user.isBlocked) {
    throw new AppError(
      'invalid_token',
      'This API token is not valid. Check that it was copied whole (op_ and 64 characters), or ask for a new one.',
    )
  }
  return { tokenId: row.id, user, membership: siteMembershipOf(rows, user, blogId) }
}

type TokenOwnerRow = Pick<TokenRow, 'id' | 'expires_at' | 'revoked_at'> & UserAndBlogRow

/** One row, or several of one token; see `UserAndBlogRow`. */
function readTokenRows(
  db: Db,
  globals: GlobalTables,
  token: string,
  blogId: number,
): Promise<TokenOwnerRow[]> {
  return readRows<TokenOwnerRow>(
    db,
    `SELECT t.id, t.expires_at, t.revoked_at, ${USER_AND_BLOG_COLUMNS}
      FROM :tokens: t LEFT JOIN (${USER_AND_BLOG}) ON u.ID = t.user_id
      WHERE t.hash = :hash`,
    {
      ...userAndBlogValues(globals, blogId),
      tokens: tokensTable(globals),
      hash: hashToken(token),
    },
  )
}
