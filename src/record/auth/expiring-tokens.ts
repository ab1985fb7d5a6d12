import type { Db } from '../../db/database.ts'
import { DAY_MS, gmtText } from '../../db/gmt.ts'
import { readRows } from '../../db/sql.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { ASKED_SCOPE, scopesTable } from './token-scopes.ts'
import { type TokenRow, tokensTable } from './tokens.ts'

/** A token in use that expires. Times are GMT, `YYYY-MM-DD HH:MM:SS`. */
export type ExpiringToken = Pick<TokenRow, 'id' | 'label'> & {
  readonly expires_at: string
  readonly last_used_at: string
  readonly user_login: string | null
}

/**
 * Lists the tokens that are valid, were used lately and expire, the soonest first. Those that the old endpoint accepts are not among them: their
 * expiry moves while they are used.
 */
export function listExpiringTokens(
  db: Db,
  globals: GlobalTables,
  { now, days, limit }: { readonly now: Date; readonly days?: number; readonly limit: number },
): Promise<ExpiringToken[]> {
  const at = (offset: number) => gmtText(new Date(now.getTime() + offset * DAY_MS))
  return readRows<ExpiringToken>(
    db,
    `SELECT t.id, t.label, t.expires_at, t.last_used_at, u.user_login
      FROM :tokens: t LEFT JOIN :scopes: s ON s.token_id = t.id LEFT JOIN :users: u ON u.ID = t.user_id
      WHERE t.revoked_at IS NULL AND t.expires_at > :now AND t.expires_at <= :until
        AND t.last_used_at > :used AND (s.scope IS NULL OR s.scope <> :asked)
      ORDER BY t.expires_at, t.id LIMIT :limit`,
    {
      tokens: tokensTable(globals),
      scopes: scopesTable(globals),
      users: globals.users,
      now: at(0),
      until: days === undefined ? '9999-12-31 23:59:59' : at(days),
      used: at(-db.timings.auth.neededDays),
      asked: ASKED_SCOPE,
      limit,
    },
  )
}
