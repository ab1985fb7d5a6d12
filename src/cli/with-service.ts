import { type Command, Option } from 'commander'
import { createLog } from '../log.ts'
import type { Service } from './call-endpoint.ts'
import type { CliContext } from './cli-context.ts'
import { findLogin } from './remote/logins.ts'

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
 * @param needsTables whether it needs the service's own tables [true]
 * @throws CommandError if the login does not exist, or migrations of the database are pending
 */
export async function withService(
  context: CliContext,
  { env }: EnvironmentOptions,
  work: (service: Service) => Promise<void>,
  { needsTables = true }: { readonly needsTables?: boolean } = {},
): Promise<void> {
  const config = await context.readConfig()
  const login = await findLogin(config, env)
  // Each way loads what only it needs: over HTTP, nothing of the database.
  if (login) {
    const { httpService } = await import('./remote/http-service.ts')
    const log = createLog(config.logLevel)
    return work(httpService(login, { config, log, timings: context.timings }))
  }
  const { databaseService } = await import('./database-service.ts')
  const { assertMigrated, withServices } = await import('./with-services.ts')
  await withServices(context, async (services) => {
    if (needsTables) await assertMigrated(services)
    await work(databaseService(services))
  })
}
