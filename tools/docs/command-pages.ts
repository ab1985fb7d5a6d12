import type { Argument, Command, Option } from 'commander'

/** A command as its users type it, without the name of the program: `frames push`. */
type NamedCommand = { readonly name: string; readonly command: Command }

/** The name of a command's page: `frames-push`. */
const pageNameOf = (name: string): string => name.replaceAll(' ', '-')

/** The commands of a program that do something: a command with commands below it only groups them. */
export function commandsOf(program: Command, above: readonly string[] = []): NamedCommand[] {
  return program.commands.flatMap((command) => {
    const names = [...above, command.name()]
    return command.commands.length > 0
      ? commandsOf(command, names)
      : [{ name: names.join(' '), command }]
  })
}

/** The page of each command: what its help says, and the notes on it, by the name of the page. */
export function commandPages(
  program: Command,
  notes: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map(
    commandsOf(program).map(({ name, command }) => [
      pageNameOf(name),
      commandPage(name, command, notes.get(name)),
    ]),
  )
}

/** A table of all commands with links to their pages. */
export function commandTable(program: Command): string {
  const rows = commandsOf(program).map(
    ({ name, command }) =>
      `| [\`${name}\`](commands/${pageNameOf(name)}.md) | ${command.description().replaceAll('|', '\\|')} |`,
  )
  return ['| command | |', '|---|---|', ...rows].join('\n')
}

function commandPage(name: string, command: Command, notes: string | undefined): string {
  const { examples, rest } = helpAfter(command)
  const options = command.options.filter(({ hidden }) => !hidden)
  return [
    `# ${name}`,
    sentence(command.description()),
    block('sh', `wp-frames ${name} ${command.usage()}`),
    notes,
    ...list('Arguments', command.registeredArguments.map(describeArgument)),
    ...list('Options', options.map(describeOption)),
    ...(examples === '' ? [] : ['## Examples', block('sh', examples)]),
    rest === '' ? undefined : block('text', rest),
    'All commands, their exit codes and their JSON: [Commands](../commands.md).',
  ]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

/** What a command's help says after the options: the examples, and everything else. */
function helpAfter(command: Command): { readonly examples: string; readonly rest: string } {
  let help = ''
  command.configureOutput({
    writeOut: (text) => {
      help += text
    },
  })
  command.outputHelp()
  const after = help.slice(command.helpInformation().length)
  const [, examples = ''] = /^Examples:\n((?:[ \t]+.*\n?)+)/m.exec(after) ?? []
  return {
    examples: examples.replace(/^ {2}(?:\$ )?/gm, '').trimEnd(),
    rest: after.replace(`Examples:\n${examples}`, '').trim(),
  }
}

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${line}`).join('\n')]

function describeArgument(argument: Argument): string {
  const { variadic, required, description, argChoices: choices } = argument
  const name = `${argument.name()}${variadic ? '...' : ''}`
  return `\`${required ? `<${name}>` : `[${name}]`}\`${described(description, { choices })}`
}

function describeOption({
  flags,
  description,
  mandatory: isRequired,
  defaultValue,
  argChoices: choices,
}: Option): string {
  return `\`${flags}\`${described(description, { choices, isRequired, defaultValue })}`
}

function described(
  description: string,
  more: { choices?: string[] | undefined; isRequired?: boolean; defaultValue?: unknown },
): string {
  const { choices = [], isRequired = false, defaultValue } = more
  const hasDefault = defaultValue !== undefined && typeof defaultValue !== 'boolean'
  const notes = [
    ...(choices.length > 0
      ? [`one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`]
      : []),
    ...(isRequired ? ['required'] : []),
    ...(hasDefault ? [`default: \`${defaultValue}\``] : []),
  ]
  const texts = [description, ...(notes.length > 0 ? [`(${notes.join('; ')})`] : [])]
  return `: ${texts.filter((text) => text !== '').join(' ')}`
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``
