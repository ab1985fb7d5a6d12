import { randomUUID } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import {
  type CliContext,
  type CliServices,
  CommandError,
  type ServicesOptions,
} from './cli-context.ts'
import { pluralize } from './terminal.ts'

/** What the label of the author of a command begins with. No label of a token does (`labelFault`). */
export const COMMAND = 'cli'

/** The label of the author of what commands write, with who runs them where: `cli deploy@web1`. */
export const commandLabel = (): string =>
  `${COMMAND} ${account()}@${hostname()}`.slice(0, MAX_COMMAND_LABEL_LENGTH)

/** The columns have no more, as for the labels of tokens. */
const MAX_COMMAND_LABEL_LENGTH = 200

/** An account without an entry, as in many containers, has only a number. */
function account(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

/**
 * Opens the services, runs a command's work, and closes the services.
 * @param options.tables whether the work needs the service's own tables [true]
 * @throws CommandError without a database, and as `assertMigrated` does
 */
export async function withServices(
  context: CliContext,
  work: (services: CliServices) => Promise<void>,
  {
    tables = true,
    ...options
  }: Omit<ServicesOptions, 'timings'> & { readonly tables?: boolean } = {},
): Promise<void> {
  const config = await context.readConfig()
  if (config.wpFramesEnv !== undefined) {
    throw new CommandError(
      `WP_FRAMES_ENV chooses the service "${config.wpFramesEnv}", but this command works on a database. Unset WP_FRAMES_ENV, and set DATABASE_URL.`,
    )
  }
  if (config.databaseUrl === undefined) {
    throw new CommandError(
      'DATABASE_URL is not set. Set it to mysql://user:password@host:port/database, or try the demo network with npm start. Commands with the option --env can work over HTTP instead: see "wp-frames login --help".',
    )
  }
  const { writeAs } = await import('../db/database.ts')
  const services = await context.openServices(config, { ...options, timings: context.timings })
  const author = { userId: null, tokenId: null, label: commandLabel(), requestId: randomUUID() }
  try {
    if (tables) await assertMigrated(services)
    await work({ ...services, db: writeAs(services.db, author) })
  } finally {
    await services.close()
  }
}

/** @throws CommandError if migrations are pending, or a newer version has applied some that this one cannot work with */
export async function assertMigrated({ db, globals, log }: CliServices): Promise<void> {
  const { describeIncompatible, findNewerMigrations, pendingMigrations } = await import(
    '../db/migrate.ts'
  )
  const { tolerated, incompatible } = await findNewerMigrations(db, globals.basePrefix)
  if (incompatible.length > 0) throw new CommandError(describeIncompatible(incompatible))
  if (tolerated.length > 0)
    log.warn(
      { migrations: tolerated },
      'a newer version of wp-frames has changed its tables; this version can work with them',
    )
  const pending = await pendingMigrations(db, globals.basePrefix)
  if (pending.length === 0) return
  throw new CommandError(
    `${pluralize(pending.length, 'migration')} of the service's own tables ${pending.length === 1 ? 'is' : 'are'} pending. Run "wp-frames migrate" first.`,
  )
}
