import { listExpiringTokens } from '../../../record/auth/expiring-tokens.ts'
import { type DoctorServices, found, ifTableMissing, type Problem } from '../finding.ts'

const MAX_LISTED = 100

/** Checks that no token that clients use expires soon. */
export async function checkTokenExpiry({ db, globals, now }: DoctorServices): Promise<Problem[]> {
  const options = { now: now(), days: db.timings.doctor.expiryDays, limit: MAX_LISTED }
  const tokens = await listExpiringTokens(db, globals, options).catch(ifTableMissing([]))
  return tokens.map(({ id, label, user_login: login, expires_at, last_used_at }) =>
    found(
      'token_expiring',
      `The token ${id}${label === '' ? '' : ` "${label}"`} of ${login ?? 'a deleted user'} expires at ${expires_at} GMT, and was used at ${last_used_at} GMT.`,
    ),
  )
}
