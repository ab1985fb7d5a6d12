import type { Caller } from '../../auth/authenticate.ts'
import type { Log } from '../../log.ts'
import type { RunServices } from '../run-endpoint.ts'
import type { Timings } from '../server-timing.ts'

/** The services of the MCP server. */
export type McpServices = RunServices & { readonly log: Log }

/** One message of an MCP client, after authentication. */
export type McpRequest = {
  readonly caller: Caller
  readonly requestId: string
  readonly timings: Timings
  /** For the log and the counters of the token: the site that the caller may use, and the status of an error that a result reports. */
  readonly outcome: { site?: number; failedStatus?: number }
}
