import type { Tx } from '../db/transaction.ts'
import { gmtText } from '../wordpress/dates.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { lockToken } from './lock-token.ts'
import { type TokenRow, tokensTable } from './tokens-table.ts'

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
