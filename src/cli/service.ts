import type { Client } from '#client'
import type { Timings } from '../host/timings.ts'
import { type CliServices, CommandError } from './cli-context.ts'

/** Where the requests of a command are answered: in this process, or in another one that is reached over HTTP. */
export type Service = Pick<CliServices, 'config' | 'log'> & {
  readonly timings: Timings
  /** The address of the service; undefined on the database. */
  readonly url?: string | undefined
  /** Every endpoint as a function. */
  readonly client: Client
  /** The services of this process, for what no endpoint does; undefined over HTTP. */
  readonly database: CliServices | undefined
}

/** @throws CommandError over HTTP */
export function getDatabase({ database }: Service): CliServices {
  if (database) return database
  throw new CommandError(
    'No request of the API does this, so it needs the database: leave out --env, unset WP_FRAMES_ENV, and set DATABASE_URL.',
  )
}
