import { type Command, Option } from 'commander'
import { createLog } from '../host/log.ts'
import { type CliContext, CommandError } from './cli-context.ts'
import { findLogin } from './remote/logins.ts'
import type { Service } from './service.ts'

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
  const { getAuthorId } = await import('./get-user.ts')
  const { inProcessClient } = await import('./in-process-client.ts')
  const { assertMigrated, withServices } = await import('./with-services.ts')
  await withServices(context, async (services) => {
    if (tables) await assertMigrated(services)
    const userId = await getAuthorId(services, author)
    const { log } = services
    const client = inProcessClient(services, userId)
    await work({ client, config, log, timings, database: services })
  })
}
