import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Executor } from '../executor/executor.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import type { GlobalTables, Site } from '../wordpress/network/site.ts'

/** What commands work with; made by the composition root. */
export type CliServices = {
  readonly config: Config
  readonly log: Logger
  readonly db: Database
  readonly globals: GlobalTables
  readonly executor: Executor
  /** What reads markup that is to be written to a site. */
  readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
  /** Starts the HTTP servers. */
  listen(roles: Roles): Promise<Listening>
  close(): Promise<void>
}

/** Which parts of the program a process runs. */
export type Roles = {
  readonly api: boolean
  readonly front: boolean
  /** For APIs in other processes; without it, the executor works in the process of whoever needs it. */
  readonly executor?: boolean
}

export type Listening = {
  /** Base address of the API, without a slash at the end. */
  readonly apiUrl: string | undefined
  readonly frontUrl: string | undefined
  readonly executorUrl: string | undefined
  readonly metricsUrl: string | undefined
  /** Lets running requests finish, then closes the servers. */
  close(): Promise<void>
}

/** How a command comes by its configuration and services. */
export type CliContext = {
  readConfig(): Config
  openServices(config: Config): CliServices
}

/** Exit code after Ctrl-C, as shells have it. */
export const INTERRUPTED = 130

/** A failure that the operator can mend: its message is all that is printed. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
