import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/** What a caller is told of a failed build: a refusal's own words; of anything else that it is in the log. */
export function logAndDescribe(error: unknown, log: Log): string {
  if (error instanceof AppError) return error.message
  log.error({ err: error }, 'build failed')
  return 'Building failed; the operator finds the reason in the log. What was written stays written.'
}
