import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { type IssuedToken, issueToken } from './issue-token.ts'
import { lockToken } from './lock-token.ts'
import { revokeToken } from './revoke-token.ts'
import { parseGmt } from './tokens-table.ts'

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
