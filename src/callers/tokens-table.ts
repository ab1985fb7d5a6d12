import type { GlobalTables } from '../wordpress/network/global-tables.ts'

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

export const tokensTable = (globals: GlobalTables): string => `${globals.basePrefix}svc_tokens`

/** A moment as the table holds it: GMT, whole seconds. */
export function gmt(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}
