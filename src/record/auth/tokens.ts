import { createHash, randomInt } from 'node:crypto'
import type { Database, Db } from '../../db/database.ts'
import { gmtText, parseGmt } from '../../db/gmt.ts'
import { insertRow, readRow, readRows, runStatement, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Log } from '../../host/log.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { networkHistory } from '../history/history-row.ts'
import { recordHistory, type ThingState } from '../history/record-history.ts'
import {
  isLimited,
  limitsOf,
  originOf,
  type ScopeRow,
  scopesTable,
  type TokenLimits,
  UNLIMITED,
} from './token-scopes.ts'

const TOKEN_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const TOKEN_RANDOM_LENGTH = 64
const TOKEN_FORMAT = /^op_[A-Za-z0-9]{64}$/

/** A new token: `op_` and 64 letters and digits from the system's random source. */
export function generateToken(): string {
  return `op_${Array.from({ length: TOKEN_RANDOM_LENGTH }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join('')}`
}

/** Whether the text has the form of a token; a truncated token does not. */
export function isTokenFormat(text: string): boolean {
  return TOKEN_FORMAT.test(text)
}

/** The SHA-256 of a token, which is all that is stored of it. 64 random characters need neither a salt nor a slow hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** A row of `<base_prefix>svc_tokens` (`sql/migrations/0001-tokens.sql`); times are GMT, `YYYY-MM-DD HH:MM:SS`. */
export type TokenRow = {
  id: number
  user_id: number
  hash: Buffer
  label: string
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** A token without its hash. */
export type Token = Omit<TokenRow, 'hash'> &
  TokenLimits &
  ReturnType<typeof originOf> & {
    /** Authenticated requests that were refused for lack of rights, and those that failed otherwise. */
    readonly refused: number
    readonly failed: number
  }

/** Longest label, in characters: the columns of the tables have no more. */
export const MAX_LABEL_LENGTH = 200

/** Why a text is no label of a token; undefined if it is one. */
export function labelFault(text: string): string | undefined {
  // The table counts characters, not UTF-16 units.
  if ([...text].length > MAX_LABEL_LENGTH) return `must have at most ${MAX_LABEL_LENGTH} characters`
  // A token must not write under the name of somebody who runs commands.
  return /^cli(?: |$)/.test(text)
    ? 'must not begin with "cli": this marks what commands have written'
    : undefined
}

export const tokensTable = (globals: GlobalTables): string => `${globals.basePrefix}svc_tokens`

/** Whether the token is neither revoked nor expired at this time. */
export function isActive(
  { revoked_at, expires_at }: Pick<TokenRow, 'revoked_at' | 'expires_at'>,
  now: Date,
): boolean {
  return revoked_at === null && (expires_at === null || expires_at > gmtText(now))
}

export type TokenRequest = {
  readonly userId: number
  readonly label?: string
  readonly expiresAt?: Date
  /** What the token is limited to [nothing]. */
  readonly limits?: TokenLimits
  readonly now: Date
}

/** A token as it is shown at issue, once: only its hash is stored. */
export type IssuedToken = {
  readonly id: number
  readonly token: string
  readonly userId: number
  readonly label: string
  /** GMT, or null for a token that does not expire. */
  readonly expiresAt: string | null
  readonly limits: TokenLimits
}

/** Issues a token for a user. */
export async function issueToken(
  tx: Tx,
  globals: GlobalTables,
  { userId, label = '', expiresAt, limits = UNLIMITED, now }: TokenRequest,
): Promise<IssuedToken> {
  const token = generateToken()
  const expires = expiresAt ? gmtText(expiresAt) : null
  const id = await insertRow(tx, tokensTable(globals), {
    user_id: userId,
    hash: hashToken(token),
    label,
    created_at: gmtText(now),
    expires_at: expires,
  })
  const { scope, sites } = limits
  if (isLimited(limits))
    await storeScope(tx, globals, { token_id: id, scope, sites: sites?.join() ?? null })
  const state = { user_id: userId, label, expires_at: expires, revoked_at: null, scope, sites }
  recordToken(tx, globals, id, { action: 'issued', before: undefined, after: state })
  return { id, token, userId, label, expiresAt: expires, limits }
}

/** Stores the limits of a token. */
export async function storeScope(
  tx: Tx,
  globals: GlobalTables,
  row: { readonly token_id: number; readonly scope: string | null; readonly sites: string | null },
): Promise<void> {
  await runStatement(
    tx,
    `INSERT INTO :scopes: (token_id, scope, sites) VALUES (:token_id, :scope, :sites)
      ON DUPLICATE KEY UPDATE scope = VALUES(scope), sites = VALUES(sites)`,
    { scopes: scopesTable(globals), ...row },
  )
}

/** The fields of a token in the history. */
export type TokenFields = Pick<TokenRow, 'user_id' | 'label' | 'expires_at' | 'revoked_at'> &
  TokenLimits &
  ReturnType<typeof originOf>

/** Records a write of a token, whose row the caller has locked or inserted. */
export function recordToken(
  tx: Tx,
  globals: GlobalTables,
  id: number,
  {
    action,
    before,
    after,
  }: {
    readonly action: 'issued' | 'imported' | 'accepted' | 'refused' | 'revoked'
    /** Undefined for a new token. */
    readonly before: TokenFields | undefined
    readonly after: TokenFields
  },
): void {
  const stateOf = (token: TokenFields): ThingState => {
    const { user_id, label, expires_at, revoked_at, scope, sites, asked } = token
    const fields = { user_id, label, expires_at, revoked_at, scope, sites }
    return { name: label, fields: asked ? { ...fields, asked } : fields }
  }
  recordHistory(tx, networkHistory(globals), {
    kind: 'token',
    ref: String(id),
    action,
    before: before && stateOf(before),
    after: stateOf(after),
    isNew: before === undefined,
  })
}

/** All tokens ever issued, or the tokens of one user, by id. */
export async function listTokens(db: Db, globals: GlobalTables, userId?: number): Promise<Token[]> {
  const rows = await readRows<TokenListRow>(
    db,
    `${SELECT_TOKENS} ${userId === undefined ? '' : 'WHERE t.user_id = :userId'} ORDER BY t.id`,
    { ...tablesOf(globals), userId: userId ?? null },
  )
  return rows.map(tokenOf)
}

type TokenListRow = Omit<TokenRow, 'hash'> &
  ScopeRow & { readonly refused: number | null; readonly failed: number | null }

const SELECT_TOKENS = `SELECT t.id, t.user_id, t.label, t.created_at, t.last_used_at, t.expires_at, t.revoked_at,
    s.scope, s.sites, f.refused, f.failed
  FROM :tokens: t LEFT JOIN :scopes: s ON s.token_id = t.id LEFT JOIN :failures: f ON f.token_id = t.id`

const tablesOf = (globals: GlobalTables) => ({
  tokens: tokensTable(globals),
  scopes: scopesTable(globals),
  failures: failuresTable(globals),
})

function tokenOf({ scope, sites, refused, failed, ...token }: TokenListRow): Token {
  return {
    ...token,
    ...limitsOf({ scope, sites }),
    ...originOf({ scope }),
    refused: Number(refused ?? 0),
    failed: Number(failed ?? 0),
  }
}

/** The token with this id, its row locked until the transaction ends; undefined if it was never issued. */
async function lockToken(tx: Tx, globals: GlobalTables, id: number): Promise<Token | undefined> {
  const row = await readRow<TokenListRow>(tx, `${SELECT_TOKENS} WHERE t.id = :id FOR UPDATE`, {
    ...tablesOf(globals),
    id,
  })
  return row && tokenOf(row)
}

/**
 * Revokes a token; every instance rejects it from its next request on. A token that was already revoked keeps its date.
 * @returns the time of its revocation, GMT; undefined if no token with this id was issued
 */
export async function revokeToken(
  tx: Tx,
  globals: GlobalTables,
  id: number,
  now: Date,
): Promise<string | undefined> {
  const token = await lockToken(tx, globals, id)
  if (!token || token.revoked_at !== null) return token?.revoked_at ?? undefined
  const revokedAt = gmtText(now)
  await runStatement(tx, 'UPDATE :tokens: SET revoked_at = :revokedAt WHERE id = :id', {
    tokens: tokensTable(globals),
    id,
    revokedAt,
  })
  const after = { ...token, revoked_at: revokedAt }
  recordToken(tx, globals, id, { action: 'revoked', before: token, after })
  return revokedAt
}

export type ReissueRequest = {
  readonly id: number
  /** When the new token expires; by default it gets the lifetime of the old one. */
  readonly expiresAt?: Date | undefined
  readonly now: Date
}

/**
 * Revokes a token and issues another for the same user with the same label.
 * @returns undefined if there is no token with this id, or it was already revoked
 */
export async function reissueToken(
  tx: Tx,
  globals: GlobalTables,
  { id, expiresAt, now }: ReissueRequest,
): Promise<IssuedToken | undefined> {
  const old = await lockToken(tx, globals, id)
  if (!old || old.revoked_at !== null) return undefined
  await revokeToken(tx, globals, id, now)
  const lifetime =
    old.expires_at === null
      ? undefined
      : parseGmt(old.expires_at).getTime() - parseGmt(old.created_at).getTime()
  const sameLifetime = lifetime === undefined ? undefined : new Date(now.getTime() + lifetime)
  return issueToken(tx, globals, {
    userId: old.user_id,
    label: old.label,
    limits: { scope: old.scope, sites: old.sites },
    expiresAt: expiresAt ?? sameLifetime,
    now,
  })
}

export const failuresTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_token_failures`

/** Requests of a token that were not answered as it asked, since they were last stored. */
type FailureCounts = { refused: number; failed: number }

/**
 * Records when a token was last used, and how many of its requests were refused or failed: at most once per minute and token, and without
 * delaying the request.
 */
export class TokenUse {
  readonly #recordedAt = new Map<number, number>()
  readonly #failures = new Map<number, FailureCounts>()
  #timer: NodeJS.Timeout | undefined
  readonly #db: Database
  readonly #globals: GlobalTables
  readonly #log: Log

  constructor(db: Database, globals: GlobalTables, log: Log) {
    this.#db = db
    this.#globals = globals
    this.#log = log
  }

  record(tokenId: number, now: Date): void {
    if (
      now.getTime() - (this.#recordedAt.get(tokenId) ?? 0) <
      this.#db.timings.auth.recordIntervalMs
    )
      return
    this.#recordedAt.set(tokenId, now.getTime())
    this.#write(tokenId, now).catch((error: unknown) =>
      this.#log.warn({ err: error, tokenId }, 'could not record the last use of a token'),
    )
  }

  /** Counts a request that was refused for lack of rights, or that failed otherwise. */
  countFailure(tokenId: number, kind: keyof FailureCounts): void {
    const counts = this.#failures.get(tokenId) ?? { refused: 0, failed: 0 }
    counts[kind] += 1
    this.#failures.set(tokenId, counts)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.storeFailures().catch((error: unknown) =>
        this.#log.warn({ err: error }, 'could not record the failed requests of tokens'),
      )
    }, this.#db.timings.auth.recordIntervalMs).unref()
  }

  /** Stores what was counted; also when the process stops. */
  async storeFailures(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counted = [...this.#failures].sort(([a], [b]) => a - b)
    this.#failures.clear()
    if (counted.length === 0) return
    const rows = counted.map(([token_id, counts]) => ({ token_id, ...counts }))
    await this.#db.write({}, (tx) =>
      storeRows(tx, [
        {
          table: failuresTable(this.#globals),
          rows,
          onDuplicate: 'refused = refused + VALUES(refused), failed = failed + VALUES(failed)',
        },
      ]),
    )
  }

  /** The condition is checked in the table, because another instance may have recorded the use. */
  async #write(tokenId: number, now: Date): Promise<void> {
    const before = gmtText(new Date(now.getTime() - this.#db.timings.auth.recordIntervalMs))
    await this.#db.write({}, (tx) =>
      runStatement(
        tx,
        `UPDATE :tokens: SET last_used_at = :now
          WHERE id = :tokenId AND (last_used_at IS NULL OR last_used_at <= :before)`,
        { tokens: tokensTable(this.#globals), tokenId, before, now: gmtText(now) },
      ),
    )
  }
}
