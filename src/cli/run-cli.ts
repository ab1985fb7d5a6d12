import { readFileSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { CliCommand } from './cli-command.ts'
import { type CliContext, CommandError, EXIT_WRONG_USAGE } from './cli-context.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'
import { sanitizeForTerminal } from './terminal.ts'

const EXIT_FAILED = 1

/**
 * Runs the command with these arguments.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage, 130 after Ctrl-C
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  return runProgram(await createProgram(context, argv.slice(2)), argv)
}

/**
 * The program.
 * @param names only commands with a name among these are loaded, of the others what the help lists [all are loaded]
 */
export async function createProgram(
  context: CliContext,
  names?: readonly string[],
): Promise<Command> {
  const program = new CliCommand('wp-frames')
    .description('Frames and menus of a WordPress multisite network over HTTP')
    .version(readVersion())
    .examples(
      'wp-frames frames list --site 2',
      'wp-frames frames pull shop --site shop',
      'wp-frames plan network --details',
      'wp-frames history --site 2',
    )
  return addCommands(program, COMMANDS, context, names)
}

async function addCommands(
  parent: Command,
  entries: readonly CommandEntry[],
  context: CliContext,
  names: readonly string[] | undefined,
): Promise<Command> {
  for (const entry of entries) {
    const [name = ''] = entry.term.split(' ')
    const isNamed = names === undefined || names.includes(name)
    const command = isNamed ? await loadCommand(entry, context, names) : listedCommand(entry)
    parent.addCommand(command.description(entry.description).helpGroup(entry.group ?? ''))
  }
  return parent
}

async function loadCommand(
  entry: CommandEntry,
  context: CliContext,
  names: readonly string[] | undefined,
): Promise<Command> {
  if ('load' in entry) return (await entry.load())(context)
  return addCommands(new CliCommand(entry.term), entry.commands, context, names)
}

/** What the help of the parent says of a command. */
function listedCommand({ term }: CommandEntry): Command {
  const [name, ...parts] = term.split(' ')
  const command = new CliCommand(name)
  for (const part of parts)
    if (part === '[options]') command.option('--any')
    else command.argument(part)
  return command
}

/** Runs a program of the command parser; prints a failure as one sentence and returns the exit code. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<number> {
  throwUsageErrors(program)
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE
    // It knows the errors of all modules.
    const { describeError } = await import('./describe-error.ts')
    process.stderr.write(`${sanitizeForTerminal(describeError(error))}\n`)
    return error instanceof CommandError ? error.exitCode : EXIT_FAILED
  }
}

/** Reads package.json, which is at the same relative path from the sources and from the build. */
function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

/** Usage errors repeat arguments. Credentials in addresses are left out; those of stores contain slashes. */
function withoutCredentials(text: string): string {
  return text.replace(/(:\/\/|:\/|%3A%2F%2F).*(@|%40)/gi, '$1…$2')
}

/** What to type instead of an option that has the name of an argument. */
function argumentHint(command: Command, text: string): string {
  const [, name] = /unknown option '--([\w-]+)'/.exec(text) ?? []
  const isArgument = command.registeredArguments.some((one) => one.name() === name)
  return isArgument ? `("${name}" is an argument: ${command.name()} ${command.usage()})\n` : ''
}

/** Makes commander throw instead of exiting with code 1. Subcommands do not inherit this setting, so it is set on each. */
function throwUsageErrors(command: Command): void {
  command.exitOverride()
  command.configureOutput({
    writeErr: (text) =>
      void process.stderr.write(withoutCredentials(`${text}${argumentHint(command, text)}`)),
  })
  for (const subcommand of command.commands) throwUsageErrors(subcommand)
}
