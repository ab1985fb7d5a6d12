import { type Client, type EndpointName, isServiceError } from '#client'
import type { CommandList } from '../../api/endpoint.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { type CliContext, CommandError, EXIT_WRONG_USAGE } from '../cli-context.ts'
import { runWrite } from '../content-write.ts'
import { describeChange, describeDeletion, readImpact } from '../frames/frame-impact.ts'
import { formatRows, isWholeAnswer, type List, type ListOptions } from '../list-output.ts'
import { findSite, findSites } from '../sites/find-sites.ts'
import { runOnSites, type SiteResult } from '../sites/run-over-sites.ts'
import type { AddressedSite, SiteOptions, SiteRef } from '../sites/site-options.ts'
import { confirmOnTerminal, jsonLine, pluralize, textForOutput, warn } from '../terminal.ts'
import { type EnvironmentOptions, type Service, withService } from '../with-service.ts'
import { argumentOf, type DerivedCommand, type DerivedField } from './description.ts'
import { fillText, textOf, valueAt } from './fill-text.ts'

/** The options of a derived command; those of its fields are beside them. */
export type DerivedOptions = EnvironmentOptions &
  ListOptions &
  SiteOptions & {
    readonly dryRun?: true
    readonly yes?: true
    readonly user?: string
    readonly limit?: number
  }

type ListedRow = Readonly<Record<string, unknown>>

/** An input of any endpoint. */
type DerivedInput = { readonly [field: string]: unknown; readonly body?: object }

/** Runs a derived command: reads a list, or sends its request, and prints the answer. */
export function runDerived(
  context: CliContext,
  derived: DerivedCommand,
  args: readonly unknown[],
  options: DerivedOptions,
): Promise<void> {
  const input = inputOf(derived, args, options)
  const { list, site, network, isWrite, isContentWrite } = derived
  if (site !== undefined && isContentWrite)
    return runContentWrite(context, { ...derived, site }, input, options).catch(
      refuseInvalid(derived),
    )
  const work = (service: Service): Promise<void> =>
    list && site !== undefined && network === undefined
      ? listSites(service, list, site, input, options)
      : sendOne(service, derived, input, options)
  // Lists of sites, and of what they have, are read of WordPress's tables.
  const needs = { tables: network !== undefined || isWrite }
  return withService(context, options, work, needs).catch(refuseInvalid(derived))
}

/**
 * For `catch` after a request: names what is invalid as the operator has typed it.
 * @throws CommandError with the exit code of wrong usage for an invalid argument or option; other errors as they are
 */
const refuseInvalid =
  ({ args, options }: DerivedCommand) =>
  async (error: unknown): Promise<never> => {
    if (!isServiceError(error, 'rest_invalid_param')) throw error
    const { describeInvalid } = await import('../describe-error.ts')
    const typed = new Map([
      ...args.map((arg) => [arg.field, argumentOf(arg)] as const),
      ...options.map(({ field, flag }) => [field, `--${flag}`] as const),
    ])
    throw new CommandError(describeInvalid(error, typed), EXIT_WRONG_USAGE)
  }

/** What the arguments and options say. Fields that are not named are not sent. */
function inputOf(
  { args, options }: DerivedCommand,
  values: readonly unknown[],
  given: DerivedOptions,
): DerivedInput {
  const body: Record<string, unknown> = {}
  const input: Record<string, unknown> = {}
  const set = ({ field, in: within }: DerivedField, value: unknown): void => {
    if (value !== undefined) (within === 'body' ? body : input)[field] = value
  }
  for (const [index, arg] of args.entries()) set(arg, values[index])
  for (const option of options) {
    const value = Reflect.get(given, camelCased(option.flag))
    // A flag that is on is `true` without its option.
    if (!(option.isOn && value === true)) set(option, value)
  }
  const hasBody = [...args, ...options].some((field) => field.in === 'body')
  return hasBody ? { ...input, body } : input
}

/** As the command parser names the value of an option. */
const camelCased = (flag: string): string =>
  flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const callOf = (client: Client, name: EndpointName) =>
  client[name] as (input: object) => Promise<object>

function runContentWrite(
  context: CliContext,
  derived: DerivedCommand & { readonly site: EndpointName },
  input: DerivedInput,
  options: DerivedOptions,
): Promise<void> {
  const { site: name, text = [], question, impact } = derived
  const { site } = options
  if (!site) throw new Error(`${name} without a site.`)
  return runWrite(context, { ...options, site }, name, async (client, on) => {
    const touched = impact && (await readImpact(client, on, String(input.ref)))
    return {
      input,
      question: question && fillText([question], { ...input, ...input.body, ...touched })[0],
      touches: touched
        ? [...(impact === 'deletion' ? describeDeletion(touched) : []), ...describeChange(touched)]
        : [],
      describe: (answer) => [...fillText(text, answer), ...answer.warnings],
    }
  })
}

/** Sends one request, or as many as a list has pages. */
async function sendOne(
  { client }: Service,
  derived: DerivedCommand,
  input: DerivedInput,
  options: DerivedOptions,
): Promise<void> {
  const { list, note = [], question, isWrite } = derived
  const given = await withSiteIds(client, derived, input)
  const { name, input: whole } = await addressed(client, derived, given, options)
  if (list) {
    const answer = await readList(client, list, name, whole, options.limit)
    const rows = rowsOf(list, answer)
    return void process.stdout.write(formatRows(listOf(list, answer), rows, answer, options))
  }
  const [asked] = question === undefined ? [] : fillText([question], { ...input, ...input.body })
  if (asked !== undefined && !options.dryRun) await confirmOnTerminal(asked, options.yes)
  const sent = isWrite && options.dryRun ? { ...whole, dry_run: true } : whole
  const answer: { readonly warnings?: readonly string[] } = await callOf(client, name)(sent)
  const { json, dryRun } = options
  if (json) process.stdout.write(jsonLine(answer))
  // Its ids and secrets are not kept.
  else if (dryRun) process.stdout.write('The request would succeed. Nothing was stored.\n')
  else process.stdout.write(formatAnswer(derived, answer))
  warn([
    ...(json || dryRun ? [] : fillText(note, answer)),
    ...(isWrite ? (answer.warnings ?? []) : []),
  ])
}

/** The input with the ids of the sites that its lists name. @throws CommandError as `findSite` does */
async function withSiteIds(
  client: Client,
  { options }: DerivedCommand,
  input: DerivedInput,
): Promise<DerivedInput> {
  const body: Record<string, unknown> = { ...input.body }
  for (const { field } of options.filter(({ isOfSites }) => isOfSites)) {
    const refs = body[field] as readonly SiteRef[] | undefined
    const ids: number[] = []
    // Whether an id exists, the endpoint says.
    for (const ref of refs ?? [])
      ids.push('blogId' in ref ? ref.blogId : (await findSite(client, ref)).blogId)
    if (refs) body[field] = ids
  }
  return input.body ? { ...input, body } : input
}

/** An answer for people; as JSON if the description has no text of it. */
function formatAnswer({ text, prints }: DerivedCommand, answer: object): string {
  if (prints !== undefined) return textForOutput(String(valueAt(answer, prints) ?? ''))
  if (!text) return jsonLine(answer)
  const lines = fillText(text, answer).map((line) => `${line}\n`)
  return textForOutput(lines.join(''))
}

/** The endpoint of the site or of the network that is meant, with the site in its input. */
async function addressed(
  client: Client,
  { site, network, caller }: DerivedCommand,
  input: DerivedInput,
  { site: ref }: { readonly site?: SiteRef },
): Promise<{ readonly name: EndpointName; readonly input: DerivedInput }> {
  if (site !== undefined && ref !== undefined) {
    const { blogId } = await findSite(client, ref)
    return { name: site, input: { site_id: blogId, ...input } }
  }
  const name = network ?? caller
  if (name === undefined) throw new Error('A command without a site.')
  return { name, input }
}

/** Lists what sites have. */
async function listSites(
  service: Service,
  list: CommandList,
  name: EndpointName,
  input: DerivedInput,
  options: DerivedOptions,
): Promise<void> {
  const { client } = service
  const sites = await findSites(client, options)
  const isTable = (options.format ?? 'table') === 'table' && !options.json
  const work = async ({ blogId }: AddressedSite) => {
    const answer = await readList(client, list, name, { site_id: blogId, ...input }, options.limit)
    const rows = rowsOf(list, answer).map((row) => ({ ...row, site_id: blogId }))
    return {
      outcome: pluralize(rows.length, list.noun),
      ...(isTable && rows.length > 0
        ? { detail: formatRows(listOf(withSiteId(list), answer), rows, answer, options) }
        : {}),
      answer,
      rows,
    }
  }
  const format = listOf(withSiteId(list))
  const print = isTable || isWholeAnswer(options) ? undefined : formatRowsOf(format, options)
  const json = isTable ? {} : { json: true as const }
  await runOnSites(service, sites, { ...options, ...json }, work, print)
}

/** A row of several sites has its site. */
export const withSiteId = (list: CommandList): CommandList => ({
  ...list,
  others: [...list.others, 'site_id'],
})

/** Prints the rows of all sites as one list. */
const formatRowsOf =
  (list: List<ListedRow>, options: DerivedOptions) =>
  (results: readonly SiteResult[]): string => {
    const { network, fields = network ? ['site_id', ...list.shown] : list.shown } = options
    const failed = results.filter(({ state }) => state !== 'done')
    if (network) warn(failed.map(({ site, outcome }) => `${siteAddress(site)}: ${outcome}`))
    const rows = results.flatMap((result) => (result.rows ?? []) as ListedRow[])
    return formatRows(list, rows, undefined, { ...options, fields })
  }

/** All pages of a list as one answer, up to a limit. */
async function readList(
  client: Client,
  { rows: field, sends }: CommandList,
  name: EndpointName,
  given: DerivedInput,
  limit = Number.POSITIVE_INFINITY,
): Promise<ListedRow> {
  const call = callOf(client, name)
  const input = { ...sends, ...given }
  const sized = Number.isFinite(limit) ? { limit } : {}
  let page = (await call({ ...input, ...sized })) as ListedRow
  const rows = [...(page[field] as ListedRow[])]
  for (let next = nextOf(page); next && rows.length < limit; next = nextOf(page)) {
    const rest = Number.isFinite(limit) ? { limit: limit - rows.length } : {}
    page = (await call({ ...input, ...next, ...rest })) as ListedRow
    rows.push(...(page[field] as ListedRow[]))
  }
  return { ...page, [field]: rows }
}

/** The parameter that asks for the next page; undefined after the last one. */
function nextOf({ next, next_cursor: cursor }: ListedRow): object | undefined {
  if (next != null) return { after: next }
  return cursor == null ? undefined : { cursor }
}

/** The rows of a list. Fields that a row does not have are null. */
const rowsOf = (list: CommandList, answer: ListedRow): readonly ListedRow[] => {
  const paths = [...list.shown.map(pathOf), ...list.others]
  return (answer[list.rows] as ListedRow[]).map((row) => ({
    ...Object.fromEntries(paths.map((path) => [fieldOf(path), valueAt(row, path) ?? null])),
    ...row,
  }))
}

const pathOf = (column: string): string => COLUMN.exec(column)?.[1] ?? column
const fieldOf = (path: string): string => path.split('.').at(-1) ?? path

/** `name|ref` is the first of two fields that is not empty, `pages:count` a form of a value, `expires_at=never` what is shown for null. */
const COLUMN = /^([\w.]+)(?:\|(\w+))?(?::(\w+))?(?:=(.+))?$/

/**
 * A list of a response as `formatRows` takes it.
 * @param answer has names for the ids of users, which its table shows
 */
export function listOf({ id, shown, others }: CommandList, answer: object = {}): List<ListedRow> {
  const users = valueAt(answer, 'names.users') ?? {}
  const columns = shown.map((text) => {
    const [, path = text, other = fieldOf(path), form, none = ''] = COLUMN.exec(text) ?? []
    const field = fieldOf(path)
    const cell = (row: ListedRow): string =>
      textOf(row[field], form, ',') || textOf(row[other], form, ',') || none
    return [field, cell] as const
  })
  const plain = others.map(
    (field) => [field, (row: ListedRow) => textOf(row[field], undefined, ',')] as const,
  )
  return {
    id,
    shown: columns.map(([field]) => field),
    others,
    cells: Object.fromEntries([...plain, ...columns]),
    inTable: Object.fromEntries(
      shown
        .filter((text) => text.endsWith(':user'))
        .map(pathOf)
        // 0 is no user: a command wrote it without `--user`.
        .map((field) => [
          field,
          (row) => Reflect.get(users, textOf(row[field])) ?? (row[field] === 0 ? '-' : row[field]),
        ]),
    ),
  }
}
