import { type Command, Option } from 'commander'
import type { Client } from '#client'
import { createLog } from '../host/log.ts'
import type { Timings } from '../host/timings.ts'
import { type CliContext, type CliServices, CommandError } from './cli-context.ts'
import { findLogin } from './remote/logins.ts'

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

/**
 * Adds `--env` to a command that only calls endpoints, and runs its work at the service that this chooses.
 * @param work receives what the action of a command does: the arguments, and the options
 * @param needs.tables see `withService`
 */
export function atService<Given extends readonly unknown[]>(
  context: CliContext,
  command: Command,
  work: (service: Service, ...given: Given) => Promise<void>,
  needs: { readonly tables?: boolean } = {},
): Command {
  return addEnvironmentOption(command).action((...given) =>
    withService(
      context,
      command.opts<EnvironmentOptions>(),
      (service) => work(service, ...(given as unknown as Given)),
      needs,
    ),
  )
}

/** The option that `addEnvironmentOption` adds to a command. */
export type EnvironmentOptions = { readonly env?: string }

/** Adds `--env` to a command that only calls endpoints. */
export const addEnvironmentOption = (command: Command): Command =>
  command.addOption(
    new Option(
      '--env <name>',
      'work at a service that "wp-frames login" has stored under this name, instead of the database',
    ),
  )

/**
 * Runs the work of a command that calls endpoints: at the service that `--env` chooses, otherwise on the database.
 * @param needs.author login of the author of what is written [none]
 * @param needs.tables whether it needs the service's own tables [true]
 * @throws CommandError if the login or the author does not exist, an author is named over HTTP, or migrations of the database are pending
 */
export async function withService(
  context: CliContext,
  { env }: EnvironmentOptions,
  work: (service: Service) => Promise<void>,
  {
    author,
    tables = true,
  }: { readonly author?: string | undefined; readonly tables?: boolean } = {},
): Promise<void> {
  const config = await context.readConfig()
  const { timings } = context
  const login = await findLogin(config, env)
  // Each way loads what only it needs: over HTTP, nothing of the database.
  if (login) {
    if (author !== undefined)
      throw new CommandError('Over HTTP, the author is the user of the token. Leave out --user.')
    const { httpClient, refusedToken } = await import('./remote/http-client.ts')
    const client = httpClient(login)
    const service = {
      client,
      config,
      log: createLog(config.logLevel),
      timings,
      url: login.url,
      database: undefined,
    }
    return work(service).catch(refusedToken(login))
  }
  if (config.databaseUrl === undefined)
    throw new CommandError(
      'There is no service to work at. Log in with "wp-frames login <url>", or set DATABASE_URL to mysql://user:password@host:port/database; npm start makes a demo network.',
    )
  const { getAuthorId, inProcessClient } = await import('./in-process-client.ts')
  const { withServices } = await import('./with-services.ts')
  const run = async (services: CliServices): Promise<void> => {
    const client = inProcessClient(services, await getAuthorId(services, author))
    await work({ client, config, log: services.log, timings, database: services })
  }
  await withServices(context, run, { tables })
}
