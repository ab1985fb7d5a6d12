import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config/config.ts'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import { DatabaseServerError } from '../db/server/database-server-error.ts'
import { type CliContext, CommandError } from './context.ts'
import { demoCommand } from './demo/demo-command.ts'
import { migrateCommand } from './migrate-command.ts'
import { serveCommand } from './serve-command.ts'
import { tokenCommand } from './token-command.ts'

const FAILED = 1
const WRONG_USAGE = 2

/**
 * Runs the command that the arguments name.
 * @returns the exit code: 0, 1 where it failed, 2 where it was called wrongly
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  const program = new Command('wp-frames').description(
    'Frames and menus of a WordPress multisite network over HTTP',
  )
  for (const command of [serveCommand, demoCommand, migrateCommand, tokenCommand]) {
    program.addCommand(command(context))
  }
  throwWhenWrong(program)
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
    process.stderr.write(`${sentenceOf(error)}\n`)
    return FAILED
  }
}

/** Commands would end the process themselves, with the exit code of a failure; those that are added inherit nothing. */
function throwWhenWrong(command: Command): void {
  command.exitOverride()
  for (const below of command.commands) throwWhenWrong(below)
}

/** What an operator is told of a failure: a stack only where nobody foresaw it. */
function sentenceOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message
  if (error instanceof DatabaseServerError) return error.message
  const { code, address, port, syscall } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${address} is in use by another program. Stop it, or choose others with PORT and FRONT_PORT.`
  }
  if (syscall === 'listen') {
    return `Can't listen on ${address}:${port} (${code}). Choose another address or port with HOST, PORT and FRONT_PORT.`
  }
  if (isDatabaseUnavailable(error))
    return `The database can't be reached (${code}). Check DATABASE_URL and that the server runs.`
  if (String(code).startsWith('ER_'))
    return `The database refused: ${code}. Check DATABASE_URL: user, password and database name.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
