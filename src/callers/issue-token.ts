import type { Tx } from '../db/transaction.ts'
import { gmtText } from '../wordpress/dates.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { generateToken, hashToken } from './token.ts'
import { type TokenRow, tokensTable } from './tokens-table.ts'

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
