import { createHash, randomInt } from 'node:crypto'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { gmtText, parseGmt } from '../wordpress/dates.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

const TOKEN_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const TOKEN_RANDOM_LENGTH = 64
const TOKEN_FORMAT = /^op_[A-Za-z0-9]{64}$/

/** A new token: `op_` and 64 letters and digits from the system's random source (contract, section 5). */
export function generateToken(): string {
  return `op_${Array.from({ length: TOKEN_RANDOM_LENGTH }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join('')}`
}

/** Has this text exactly the form of a token? A copy that was cut short has not. */
export function isTokenFormat(text: string): boolean {
  return TOKEN_FORMAT.test(text)
}

/** What is stored of a token: its SHA-256. 64 random characters need no salt and no slow hash. */
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

/** What can be told of a token after its issue. */
export type Token = Omit<TokenRow, 'hash'>

export const TOKEN_COLUMNS = [
  'id',
  'user_id',
  'label',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const

/** Longest label, in characters. */
export const MAX_LABEL_LENGTH = 200

export const tokensTable = (globals: GlobalTables): string => `${globals.basePrefix}svc_tokens`

/** Is the token good at this moment: neither revoked nor expired? */
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
  readonly now: Date
}

/** What is told at issue, and never again: only the token's hash is kept. */
export type IssuedToken = {
  readonly id: number
  readonly token: string
  readonly userId: number
  readonly label: string
  /** GMT, or null for a token without end. */
  readonly expiresAt: string | null
}

/** Makes a token for a user. */
export async function issueToken(
  tx: Tx,
  globals: GlobalTables,
  { userId, label = '', expiresAt, now }: TokenRequest,
): Promise<IssuedToken> {
  const token = generateToken()
  const expires = expiresAt ? gmtText(expiresAt) : null
  const [id] = await tx.sql<TokenRow>(tokensTable(globals)).insert({
    user_id: userId,
    hash: hashToken(token),
    label,
    created_at: gmtText(now),
    expires_at: expires,
  })
  return { id: Number(id), token, userId, label, expiresAt: expires }
}

/** All tokens that were ever issued, or those of one user, by id. */
export async function listTokens(db: Db, globals: GlobalTables, userId?: number): Promise<Token[]> {
  return db
    .sql<TokenRow>(tokensTable(globals))
    .select(...TOKEN_COLUMNS)
    .where(userId === undefined ? {} : { user_id: userId })
    .orderBy('id')
}

/** The token with this id, its row locked until the transaction ends; undefined where none was issued. */
export function lockToken(tx: Tx, globals: GlobalTables, id: number): Promise<Token | undefined> {
  return tx
    .sql<TokenRow>(tokensTable(globals))
    .select(...TOKEN_COLUMNS)
    .where({ id })
    .forUpdate()
    .first()
}

/**
 * Makes a token invalid, on every instance from its next request on; one that is revoked already keeps its date.
 * @returns since when it is revoked, GMT; undefined where no token with this id was issued
 */
export async function revokeToken(
  tx: Tx,
  globals: GlobalTables,
  id: number,
  now: Date,
): Promise<string | undefined> {
  const held = await lockToken(tx, globals, id)
  if (!held || held.revoked_at !== null) return held?.revoked_at ?? undefined
  await tx
    .sql<TokenRow>(tokensTable(globals))
    .where({ id })
    .update({ revoked_at: gmtText(now) })
  return gmtText(now)
}

export type ReissueRequest = {
  readonly id: number
  /** When the new one ends; it lasts as long as the old one was made to where this is left out. */
  readonly expiresAt?: Date | undefined
  readonly now: Date
}

/**
 * Revokes a token and makes another for the same user under the same label.
 * @returns undefined where there is no token with this id, or it was revoked before
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
    expiresAt: expiresAt ?? sameLifetime,
    now,
  })
}
