import type { Command } from 'commander'
import { migrate } from '../db/migrate.ts'
import { findMissingNetwork } from '../network/doctor/checks/check-database.ts'
import { CliCommand } from './cli-command.ts'
import { type CliContext, type CliServices, CommandError } from './cli-context.ts'
import { withServices } from './with-services.ts'

/** `migrate`: creates or updates the service's own tables; safe to run again. */
export function migrateCommand(context: CliContext): Command {
  return new CliCommand('migrate').examples('wp-frames migrate').action(() => {
    const work = async ({ db, globals }: CliServices): Promise<void> => {
      // Otherwise the tables of a network that does not exist would be created.
      const missing = await findMissingNetwork(db, globals)
      if (missing) throw new CommandError(`${missing.message} ${missing.fixHint}`)
      const applied = await migrate(db, globals.basePrefix)
      process.stdout.write(
        applied.length === 0 ? 'Nothing to do.\n' : `Applied ${applied.join(', ')}.\n`,
      )
    }
    return withServices(context, work, { tables: false })
  })
}
