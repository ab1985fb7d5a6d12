import { pendingMigrations } from '../db/migrate.ts'
import { type CliServices, CommandError } from './context.ts'

/** @throws CommandError on a database that lacks the service's own tables */
export async function assertMigrated({ db, globals }: CliServices): Promise<void> {
  const pending = await pendingMigrations(db, globals.basePrefix)
  if (pending.length === 0) return
  throw new CommandError(
    `This database lacks the service's own tables (${pending.join(', ')}). Run "wp-frames migrate" first.`,
  )
}
