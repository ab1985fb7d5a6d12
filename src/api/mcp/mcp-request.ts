import type { AppError } from '../../host/errors.ts'
import type { Log } from '../../host/log.ts'
import type { Caller } from '../../record/auth/authenticate.ts'
import { appErrorOf, statusOf } from '../http-errors.ts'
import type { Host } from '../run/run.ts'
import type { ServerTiming } from '../server-timing.ts'

/** The services of the MCP server. */
export type McpServices = Host & { readonly log: Log }

/** One message of an MCP client, after authentication. */
export type McpRequest = {
  readonly caller: Caller
  readonly requestId: string
  readonly timings: ServerTiming
  /** For the log and the counters of the token: the site that the caller may use, and the HTTP status of an error in the answer. */
  readonly outcome: { site?: number; failedStatus?: number }
}

/** One message of an MCP client, before authentication. */
export type McpMessage = Omit<McpRequest, 'caller'> & {
  /** Finds the caller, and counts the message. */
  authenticate(): Promise<Caller>
  /** Is called when the outcome is known, if nobody else looks at it. */
  answered?(): void
}

/** The error of the API for any error: what is unexpected is logged, and not described. */
export function reportedErrorOf(
  { log }: McpServices,
  { requestId, outcome }: Pick<McpRequest, 'requestId' | 'outcome'>,
  error: unknown,
): AppError {
  const reported = appErrorOf(error)
  if (reported.code === 'internal_error' || reported.code === 'database_unavailable')
    log.error({ req: { id: requestId }, err: error }, 'MCP request failed')
  outcome.failedStatus = statusOf(reported)
  return reported
}
