import type { Command, Option } from 'commander'
import type { Client, Plan } from '#client'
import type { CliContext } from '../cli-context.ts'
import { findSite, readAllSites } from '../sites/find-sites.ts'
import { parseSiteRef } from '../sites/site-options.ts'
import { withService } from '../with-service.ts'

/** What may follow in a line, with a short description. */
export type Candidate = { readonly value: string; readonly description: string }

/** A line up to its unfinished last part. */
type Line = {
  readonly path: readonly string[]
  readonly command: Command
  /** How many arguments the command has. */
  readonly given: number
  /** By the long name of the option. */
  readonly values: ReadonlyMap<string, string>
  /** The option whose value comes next. */
  readonly open: Option | undefined
}

/**
 * What may follow in a line: commands, options, their choices, and names of the network.
 * @param parts the line behind the name of the program; the last one is not finished, and may be empty
 */
export async function findCandidates(
  context: CliContext,
  parts: readonly string[],
): Promise<readonly Candidate[]> {
  const typed = parts.at(-1) ?? ''
  // It knows all commands; each is loaded when a line has its name.
  const { createProgram } = await import('../run-cli.ts')
  const before = parts.slice(0, -1)
  const line = parseLine(await createProgram(context, before), before)
  const known = await candidatesOf(context, line, typed)
  return known.filter(({ value }) => value.startsWith(typed))
}

function parseLine(program: Command, parts: readonly string[]): Line {
  const values = new Map<string, string>()
  const path: string[] = []
  let command = program
  let given = 0
  let open: Option | undefined
  for (const part of parts) {
    const below = given === 0 ? command.commands.find((one) => one.name() === part) : undefined
    if (open) {
      values.set(open.long ?? '', part)
      open = undefined
    } else if (part.startsWith('-'))
      open = command.options.find(
        ({ long, short, required, optional }) =>
          [long, short].includes(part) && (required || optional),
      )
    else if (below) {
      command = below
      path.push(part)
    } else given += 1
  }
  return { path, command, given, values, open }
}

async function candidatesOf(
  context: CliContext,
  line: Line,
  typed: string,
): Promise<readonly Candidate[]> {
  const { path, command, given, open } = line
  const help = command.createHelp()
  if (open) return valuesOf(context, line, open, typed)
  if (typed.startsWith('-'))
    return help
      .visibleOptions(command)
      .map(({ long, description }) => ({ value: long ?? '', description }))
  const commands = given === 0 ? help.visibleCommands(command) : []
  const last = command.registeredArguments.at(-1)
  const argument = command.registeredArguments[given] ?? (last?.variadic ? last : undefined)
  const find = argument && NAMES[`${path[0]} ${argument.name()}`]
  return [
    ...commands.map((one) => ({ value: one.name(), description: one.description() })),
    ...(argument?.argChoices ?? []).map((value) => ({ value, description: '' })),
    ...(find ? await readNames(context, line, find) : []),
  ]
}

async function valuesOf(
  context: CliContext,
  line: Line,
  { long, argChoices = [] }: Option,
  typed: string,
): Promise<readonly Candidate[]> {
  if (long !== '--site') return argChoices.map((value) => ({ value, description: '' }))
  return readNames(context, line, async ({ client }) =>
    (await readAllSites(client)).map(({ address, title }) => {
      const name = /[./]/.test(typed) ? undefined : address.split('/')[1]
      return { value: name ?? address, description: title }
    }),
  )
}

type Asked = { readonly client: Client; readonly site: () => Promise<{ site_id: number }> }

/** Names that an argument may have, by the first name of the command and that of the argument. */
const NAMES: Readonly<Record<string, (asked: Asked) => Promise<readonly Candidate[]>>> = {
  'frames ref': async ({ client, site }) =>
    (await client.listFrames(await site())).frames.map(({ slug }) => ({
      value: slug,
      description: '',
    })),
  'frames page': async ({ client, site }) =>
    (await client.listPages({ ...(await site()), limit: 200 })).pages.map(({ path, title }) => ({
      value: path,
      description: title,
    })),
  'menus menu': readMenus,
  'menus ref': readMenus,
  'runs run': ({ client }) => readRuns(client),
  // One that was only planned has written nothing.
  'rollback run': ({ client }) => readRuns(client, ({ state }) => state !== 'planned'),
}

async function readMenus({ client, site }: Asked): Promise<readonly Candidate[]> {
  const { menus } = await client.listMenus(await site())
  return menus.map(({ slug, name }) => ({ value: slug, description: name }))
}

async function readRuns(
  client: Client,
  isWanted: (run: Plan) => boolean = () => true,
): Promise<readonly Candidate[]> {
  const { plans } = await client.listPlans({})
  return plans.filter(isWanted).map(({ id, title, state }) => ({
    value: id,
    description: `${title ?? ''} (${state})`,
  }))
}

/** Names of the network; none if it cannot be asked: a shell shows no errors here. */
async function readNames(
  context: CliContext,
  { values }: Line,
  find: (asked: Asked) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const env = values.get('--env')
  let found: readonly Candidate[] = []
  const work = async ({ client }: { readonly client: Client }) => {
    const site = async () => {
      const { blogId } = await findSite(client, parseSiteRef(values.get('--site') ?? ''))
      return { site_id: blogId }
    }
    found = await find({ client, site })
  }
  await withService(context, env === undefined ? {} : { env }, work, { tables: false }).catch(
    () => {},
  )
  return found
}
