import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { EXAMPLES_HEADING } from '../../src/cli/cli-command.ts'
import { captureOutput, createUnused } from '../support/cli.ts'

/** A program whose commands parse their arguments, and then do nothing. */
async function parser(): Promise<Command> {
  const program = await createUnused()
  const prepare = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => {} })
    if (command.commands.length === 0) command.action(() => {})
    for (const sub of command.commands) prepare(sub)
  }
  prepare(program)
  return program
}

const leaves = (command: Command, path: readonly string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[path.join(' '), command]]
    : command.commands.flatMap((sub) => leaves(sub, [...path, sub.name()]))

/** The examples in the help text that a command prints. */
async function examplesOf(command: Command): Promise<string[]> {
  const { stdout } = await captureOutput(async () => command.outputHelp())
  const [, list = ''] = stdout.split(`${EXAMPLES_HEADING}\n`)
  return list.split('\n').flatMap((line) => (line.startsWith('  $ ') ? line.slice(4) : []))
}

/** The arguments of each program that a line of a shell runs, without what is done with its output. */
function commandsIn(line: string): string[][] {
  return line
    .replace(/ xargs(?: -r -n 1)? /g, ' ')
    .split(' | ')
    .map((part) => part.replace(/ [<>] .*$/, ''))
    .map((part) =>
      [...part.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
        quoted === undefined ? (bare ?? '') : quoted.replaceAll('\\', ''),
      ),
    )
}

const program = await parser()

it.each(leaves(program))(
  'the help of a command %s has examples that parse',
  async (path, command) => {
    const lines = await examplesOf(command)
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const [own = [], ...others] = commandsIn(line)
      expect(own.slice(1).join(' ')).toMatch(new RegExp(`^${path}(?: |$)`))
      await (await parser()).parseAsync(own.slice(1), { from: 'user' })
      // The last argument of these comes from the list before them, by xargs.
      for (const other of others)
        await (await parser()).parseAsync([...other.slice(1), '2'], { from: 'user' })
    }
  },
)
