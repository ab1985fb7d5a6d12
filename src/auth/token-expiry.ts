import type { Db } from '../db/database.ts'
import { gmtText, parseGmt } from '../wordpress/dates.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { scopesTable } from './token-scopes.ts'
import { tokensTable } from './tokens.ts'

/** A token that was used in this time is in use, in milliseconds. */
const IN_USE_MS = 30 * 86_400_000

/**
 * When the first token that is in use expires, as a Unix time in milliseconds; undefined if none does. Tokens that the old endpoint is asked about
 * expire by design, and are renewed while they are used.
 */
export async function findFirstExpiry(
  { sql }: Db,
  globals: GlobalTables,
  now: Date,
): Promise<number | undefined> {
  const row = await sql({ t: tokensTable(globals) })
    .leftJoin({ s: scopesTable(globals) }, 's.token_id', 't.id')
    .whereNull('t.revoked_at')
    .where('t.expires_at', '>', gmtText(now))
    .where('t.last_used_at', '>', gmtText(new Date(now.getTime() - IN_USE_MS)))
    .whereRaw("COALESCE(s.scope, '') <> 'asked'")
    .min<{ first: string | null } | undefined>({ first: 't.expires_at' })
    .first()
  return row?.first ? parseGmt(row.first).getTime() : undefined
}
