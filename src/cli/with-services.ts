import { pendingMigrations } from '../db/migrate.ts'
import { type CliContext, type CliServices, CommandError } from './cli-context.ts'

/** Runs a command's work on the operator's database and closes everything afterwards. */
export async function withServices(
  context: CliContext,
  work: (services: CliServices) => Promise<void>,
): Promise<void> {
  const config = context.readConfig()
  if (config.databaseUrl === undefined) {
    throw new CommandError(
      'DATABASE_URL is not set. Set it to mysql://user:password@host:port/database, or try the demo network with npm start.',
    )
  }
  const services = context.openServices(config)
  try {
    await work(services)
  } finally {
    await services.close()
  }
}

/** @throws CommandError on a database that lacks the service's own tables */
export async function assertMigrated({ db, globals }: CliServices): Promise<void> {
  const pending = await pendingMigrations(db, globals.basePrefix)
  if (pending.length === 0) return
  throw new CommandError(
    `This database lacks the service's own tables (${pending.join(', ')}). Run "wp-frames migrate" first.`,
  )
}
