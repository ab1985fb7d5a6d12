import { Command } from 'commander'
import { migrate } from '../db/migrate.ts'
import type { CliContext } from './cli-context.ts'
import { withServices } from './with-services.ts'

/** `migrate`: creates or updates the service's own tables; safe to run again. */
export function migrateCommand(context: CliContext): Command {
  return new Command('migrate')
    .description("create or update the service's own tables")
    .action(() =>
      withServices(context, async ({ db, globals }) => {
        const applied = await migrate(db, globals.basePrefix)
        process.stdout.write(
          applied.length === 0 ? 'Nothing to do.\n' : `Applied ${applied.join(', ')}.\n`,
        )
      }),
    )
}
