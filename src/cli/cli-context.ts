import type { Logger } from 'pino'
import type { EndpointServices } from '../api/endpoint.ts'
import type { ClientChoice } from '../api/mcp/client-choice.ts'
import type { CopyStore } from '../build/publishing/copy-store.ts'
import type { Database } from '../db/database.ts'
import type { Config } from '../host/config/config.ts'
import { OperatorError } from '../host/errors.ts'
import type { Timings } from '../host/timings.ts'

/** The services that commands use; constructed in services.ts. */
export type CliServices = Pick<
  EndpointServices,
  'db' | 'globals' | 'executor' | 'changes' | 'webhookSender' | 'bakery' | 'markupAnalyzer'
> & {
  readonly config: Config
  readonly log: Logger
  /** The static copies; undefined if they are turned off. */
  readonly copies: CopyStore | undefined
  /**
   * Works on runs until it is stopped, as a process of the service does.
   * @param builds whether this process builds the pages of their sites, too, until it ends
   */
  workOnRuns(options: { readonly builds: boolean }): { stop(): Promise<void> }
  /** Starts the HTTP servers. */
  listen(roles: Roles): Promise<Listening>
  /** Serves an MCP client on standard input and output. Returns a function that ends the connection. */
  serveMcp(token: string, choice: ClientChoice): Promise<() => Promise<void>>
  close(): Promise<void>
  /** The part that is being closed, or was closed last; undefined before. */
  ending(): string | undefined
}

export type ServicesOptions = {
  readonly timings: Timings
  /** The process serves requests, which wait for effects only for `EFFECTS_BUDGET_MS`. A command waits until everything is built [false]. */
  readonly isServer?: boolean
  /** An operator tries the service on a terminal: the front may list the hosts of the network [false]. */
  readonly isTried?: boolean
  /** [JSON lines on standard error] */
  readonly log?: Logger
  /** An open database, which the caller closes [one at DATABASE_URL] */
  readonly db?: Database
}

/** The parts of the service that a process runs. */
export type Roles = {
  readonly api: boolean
  readonly front: boolean
  /** The executor's server for APIs in other processes. Otherwise the API and the front run the executor in their own process. */
  readonly executor?: boolean
}

export type Listening = {
  /** Base URL of the API, without a trailing slash. */
  readonly apiUrl: string | undefined
  readonly frontUrl: string | undefined
  readonly executorUrl: string | undefined
  readonly metricsUrl: string | undefined
  /** Waits for running requests, then closes the servers. */
  close(): Promise<void>
}

/** Access to the configuration and the services. */
export type CliContext = {
  readConfig(): Config | Promise<Config>
  openServices(config: Config, options: ServicesOptions): CliServices | Promise<CliServices>
  readonly timings: Timings
}

/** Exit code of an argument or option that is refused, as the command parser refuses one. */
export const EXIT_WRONG_USAGE = 2

/** Exit code of `--exit-code` if something differs, or would be changed. */
export const HAS_CHANGES = 2

/** Exit code after Ctrl-C: 128 + SIGINT, as in shells. */
export const INTERRUPTED = 130

/** An error that the operator can resolve; only its message is printed, without a stack. */
export class CommandError extends OperatorError {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
