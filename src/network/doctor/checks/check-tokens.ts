import { isMissingTable } from '../../../db/database-error.ts'
import { listExpiringTokens } from '../../../record/auth/expiring-tokens.ts'
import type { DoctorServices, Problem } from '../finding.ts'

const MAX_LISTED = 100

/** Checks that no token that clients use expires soon. */
export async function checkTokenExpiry({ db, globals, now }: DoctorServices): Promise<Problem[]> {
  const options = { now: now(), days: db.timings.doctor.expiryDays, limit: MAX_LISTED }
  const tokens = await listExpiringTokens(db, globals, options).catch((error) => {
    // A missing table has its own finding.
    if (!isMissingTable(error)) throw error
    return []
  })
  return tokens.map(({ id, label, user_login: login, expires_at, last_used_at }) => ({
    check: 'token_expiring',
    severity: 'warning',
    message: `The token ${id}${label === '' ? '' : ` "${label}"`} of ${login ?? 'a deleted user'} expires at ${expires_at} GMT, and was used at ${last_used_at} GMT.`,
    impact: 'Afterwards, the requests of its clients are refused with 401.',
    fixHint:
      'Issue another token with "wp-frames token issue", give it to the clients, and revoke this one when "wp-frames token list" shows that it is not used any more.',
  }))
}
