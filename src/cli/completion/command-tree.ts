import type { Command } from 'commander'

/** What can follow a command. */
export type CompletedCommand = {
  /** The names from the program to the command: `/frames/list`, '' for the program. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly CompletedOption[]
  /** The values of its arguments, of those that have a list of them. */
  readonly choices: readonly string[]
}

type CompletedOption = {
  /** `--format`, and a short name if there is one. */
  readonly names: readonly string[]
  readonly description: string
  /** Whether a value follows. */
  readonly takesValue: boolean
  /** The values, if there is a list of them. */
  readonly choices: readonly string[]
}

/** All commands of a program, from the definitions of the command parser. */
export function describeCommands(command: Command, path = ''): CompletedCommand[] {
  const help = command.createHelp()
  const below = help.visibleCommands(command)
  const one: CompletedCommand = {
    path,
    commands: below.map((sub) => ({
      name: sub.name(),
      description: firstSentence(sub.description()),
    })),
    options: help
      .visibleOptions(command)
      .map(({ long, short, description, required, optional, argChoices }) => ({
        names: [long, short].filter((name) => name !== null && name !== undefined),
        description: firstSentence(description),
        takesValue: required || optional,
        choices: argChoices ?? [],
      })),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }
  // The program's own "help" takes the names of its commands; it has no definition of its own.
  const defined = command.commands.filter((sub) => below.includes(sub))
  return [one, ...defined.flatMap((sub) => describeCommands(sub, `${path}/${sub.name()}`))]
}

/** Shells show descriptions in one short line. */
const firstSentence = (text: string): string => text.split(/[;:.,](?:\s|$)/, 1)[0] ?? ''

/** A text in single quotes, as all three shells read it. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
