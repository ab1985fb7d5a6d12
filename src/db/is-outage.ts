import type { Database } from './database.ts'
import { isDatabaseUnavailable, isRetryable, isStatementTimeout } from './database-error.ts'

/**
 * Whether the database cannot be used at all, so that other sites would fail too. A lock and a limit of time concern one site. A reply that does
 * not arrive may do so too: then the database is asked whether it answers otherwise.
 */
export async function isOutage({ ping }: Pick<Database, 'ping'>, error: unknown): Promise<boolean> {
  if (!isDatabaseUnavailable(error) || isRetryable(error) || isStatementTimeout(error)) return false
  if ((error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') return true
  return ping().then(
    () => false,
    () => true,
  )
}
