import { gmtText } from '../wordpress/dates.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

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

/** The moment that a text of the table stands for. */
export function parseGmt(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`)
}

/** Is the token good at this moment: neither revoked nor expired? */
export function isActive(
  { revoked_at, expires_at }: Pick<TokenRow, 'revoked_at' | 'expires_at'>,
  now: Date,
): boolean {
  return revoked_at === null && (expires_at === null || expires_at > gmtText(now))
}
