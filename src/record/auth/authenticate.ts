import type { Db } from '../../db/database.ts'
import { gmtText } from '../../db/gmt.ts'
import { readRows } from '../../db/sql.ts'
import { AppError } from '../../host/errors.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import {
  type SiteMembership,
  siteMembershipOf,
  USER_AND_BLOG,
  USER_AND_BLOG_COLUMNS,
  type UserAndBlogRow,
  userAndBlogValues,
  userOfMembershipRow,
} from '../../wordpress/users/site-membership.ts'
import type { User } from '../../wordpress/users/users.ts'
import {
  ASKED_SCOPE,
  limitsOf,
  type ScopeRow,
  scopesTable,
  type TokenLimits,
} from './token-scopes.ts'
import { hashToken, isTokenFormat, type TokenRow, tokensTable } from './tokens.ts'

/** The authenticated user, and the token that was sent. */
export type Caller = {
  readonly tokenId: number
  /** What the token is limited to. */
  readonly limits: TokenLimits
  readonly tokenLabel: string
  /** When the token expires, GMT; null if it does not. */
  readonly tokenExpiresAt: string | null
  readonly user: User
  /** The user's membership of the site that the request seems to be for, read in the statement that reads the token. */
  readonly membership: SiteMembership
  /** A command on the database of this process, without a token: it may do everything. */
  readonly isOperator?: true
  /** Undefined for a token that was issued or imported. */
  readonly asked?: AskedAccess
}

/** What is known of a stored token. */
export type TokenOnSite = Pick<Caller, 'tokenId' | 'tokenLabel' | 'tokenExpiresAt' | 'user'>

/** The access of a token that is known only by asking the old endpoint (`LEGACY_TOKENS=ask`). */
export type AskedAccess = {
  /** The operator has named no user for such tokens: they may not write markup, and no user's rights are more than those of an administrator. */
  readonly isUnnamed: boolean
  /**
   * The token on a site, with the user that it acts as there; undefined if the old endpoint does not accept it there.
   * @throws AppError `invalid_token`; `service_busy` if it has to be asked and does not answer
   */
  openSite(blogId: number): Promise<TokenOnSite | undefined>
}

/**
 * Authenticates a token with one statement. It runs for each request, so that every instance rejects a token as soon as it
 * is revoked.
 * @param blogId the site that the request seems to be for; 0 if that is not known yet
 * @throws AppError `missing_token` if no token was sent; `invalid_token`, the same for every reason, for a token that is malformed, unknown,
 * revoked or expired, whose user is deleted or marked as spam, or that is known only by asking the old endpoint
 */
export async function authenticate(
  db: Db,
  globals: GlobalTables,
  token: string | undefined,
  now: Date,
  blogId = 0,
): Promise<Caller> {
  const found = await findStoredToken(db, globals, assertSent(token), { now, blogId })
  if (!found || found.isAsked) throw invalidToken()
  return found.caller
}

/** @throws AppError `missing_token` */
export function assertSent(token: string | undefined): string {
  if (token !== undefined) return token
  throw new AppError(
    'missing_token',
    'The request has no API token. Send one as "Authorization: Bearer <token>" or in the header X-Svc-Key.',
  )
}

/** The one error for every token that may not be used. */
export function invalidToken(): AppError {
  return new AppError(
    'invalid_token',
    'The API token is invalid. Check that it is complete (op_ and 64 characters), or ask for a new one.',
  )
}

export type FoundToken = {
  readonly caller: Caller
  /** It is known only by asking the old endpoint, which has to be asked again. */
  readonly isAsked: boolean
}

/** The stored token with this secret, if it may be used, in one statement; none for a malformed one. @param blogId see `authenticate` */
export async function findStoredToken(
  db: Db,
  globals: GlobalTables,
  token: string,
  { now, blogId }: { readonly now: Date; readonly blogId: number },
): Promise<FoundToken | undefined> {
  const rows = isTokenFormat(token)
    ? await readUsableToken(db, globals, { token, now, blogId })
    : []
  const [row] = rows
  const user = row && userOfMembershipRow(row)
  if (!row || !user) return undefined
  const caller = {
    limits: limitsOf(row),
    tokenId: row.id,
    tokenLabel: row.label,
    tokenExpiresAt: row.expires_at,
    user,
    membership: siteMembershipOf(rows, user, blogId),
  }
  return { caller, isAsked: row.scope === ASKED_SCOPE }
}

type TokenOwnerRow = Pick<TokenRow, 'id' | 'label' | 'expires_at'> & UserAndBlogRow & ScopeRow

/**
 * The rows of one token: usually one; see `UserAndBlogRow`. The statement itself leaves out a token that may not be used, so that the time of a refusal
 * does not show its reason.
 */
function readUsableToken(
  db: Db,
  globals: GlobalTables,
  { token, now, blogId }: { readonly token: string; readonly now: Date; readonly blogId: number },
): Promise<TokenOwnerRow[]> {
  return readRows<TokenOwnerRow>(
    db,
    `SELECT t.id, t.label, t.expires_at, s.scope, s.sites, ${USER_AND_BLOG_COLUMNS}
      FROM :tokens: t LEFT JOIN :scopes: s ON s.token_id = t.id JOIN (${USER_AND_BLOG}) ON u.ID = t.user_id
      WHERE t.hash = :hash AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)
        AND u.spam = 0 AND u.deleted = 0`,
    {
      ...userAndBlogValues(globals, blogId),
      tokens: tokensTable(globals),
      scopes: scopesTable(globals),
      hash: hashToken(token),
      now: gmtText(now),
    },
  )
}
