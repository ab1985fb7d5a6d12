import { randomUUID } from 'node:crypto'
import { writeAs } from '../db/database.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { type CliContext, type CliServices, CommandError } from './cli-context.ts'

/** The label of the author of what commands write. */
export const COMMAND_LABEL = 'cli'

/** Opens the services, runs a command's work, and closes the services. */
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
  const author = { userId: null, tokenId: null, label: COMMAND_LABEL, requestId: randomUUID() }
  try {
    await work({ ...services, db: writeAs(services.db, author) })
  } finally {
    await services.close()
  }
}

/** @throws CommandError if migrations are pending */
export async function assertMigrated({ db, globals }: CliServices): Promise<void> {
  const pending = await pendingMigrations(db, globals.basePrefix)
  if (pending.length === 0) return
  throw new CommandError(
    `Migrations of the service's own tables are pending (${pending.join(', ')}). Run "wp-frames migrate" first.`,
  )
}
