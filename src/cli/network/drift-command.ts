import type { Command } from 'commander'
import type { Client, Output } from '#client'
import { DRIFT_SITES_PER_PAGE } from '../../api/page-sizes.ts'
import { describeWriter } from '../../network/plan/site-plan.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError, HAS_CHANGES } from '../cli-context.ts'
import {
  addListOptions,
  formatRows,
  isWholeAnswer,
  type List,
  type ListOptions,
} from '../list-output.ts'
import { coloured, pluralize, sanitizeForTerminal } from '../terminal.ts'
import { atService, type Service } from '../with-service.ts'
import { indentDiff, sentenceOf } from './plan-groups.ts'

type DriftOptions = ListOptions & { readonly exitCode?: true }

type DriftAnswer = Output<'listDrift'>
type DriftedSite = DriftAnswer['results'][number]
type DriftedThing = DriftedSite['drift'][number]

/** One thing that differs, of one site. */
type DriftRow = Pick<DriftedSite, 'site_id' | 'address' | 'description'> & {
  readonly kind: string
  readonly name: string
  readonly drift: string
  readonly by: string | null
}

const DRIFT: List<DriftRow> = {
  id: 'site_id',
  shown: ['site_id', 'address', 'description', 'kind', 'name', 'drift', 'by'],
}

/** `drift [name]`: shows what was changed since the last run of each description, and by whom. */
export function driftCommand(context: CliContext): Command {
  const command = new CliCommand('drift')
    .argument('[name]', 'the name of a description; by default of all')
    .option('--exit-code', `exit with ${HAS_CHANGES} if something was changed`)
    .examples(
      'wp-frames drift shops --exit-code',
      'wp-frames drift --format csv --fields site_id,kind,name,by',
      'wp-frames drift shops --format ids | xargs -r -n 1 wp-frames apply network --yes --site',
    )
  addListOptions(command, DRIFT, '{sites, drifted, results, failures}')
  const show = async ({ client }: Service, name: string | undefined, options: DriftOptions) => {
    const { results, failures } = await readDrift(client, name)
    if (results.length + failures.length === 0 && name !== undefined)
      throw new CommandError(`No run has applied a description "${name}" to any site.`)
    const drifted = results.filter(({ drift_total, problems }) => drift_total + problems.length > 0)
    const counts = { sites: results.length, drifted: drifted.length }
    const answer = { ...counts, results: drifted, failures }
    const isList = options.format !== undefined || options.fields !== undefined
    process.stdout.write(
      isList || isWholeAnswer(options)
        ? formatRows(DRIFT, rowsOf(drifted, options), answer, options)
        : coloured(
            `${drifted.map(formatSite).join('')}${pluralize(counts.sites, 'site')}, ${counts.drifted} with drift\n`,
          ),
    )
    if (failures.length > 0) {
      const lines = failures.map(({ description, message }) => `${description}: ${message}`)
      throw new CommandError(`Not compared:\n${sanitizeForTerminal(lines.join('\n'))}`)
    }
    if (options.exitCode && drifted.length > 0)
      throw new CommandError('Sites differ from the last apply.', HAS_CHANGES)
  }
  return atService(context, command, show)
}

/** All pages as one. A description that cannot be resolved is a failure on each page. */
async function readDrift(client: Client, name: string | undefined) {
  const results: DriftedSite[] = []
  const failures = new Map<string, DriftAnswer['failures'][number]>()
  const query = { ...(name === undefined ? {} : { name }), limit: DRIFT_SITES_PER_PAGE.max }
  for await (const page of client.pages('listDrift', query)) {
    results.push(...page.results)
    for (const one of page.failures) failures.set(`${one.description} ${one.message}`, one)
  }
  return { results, failures: [...failures.values()] }
}

/** One row for each thing; for ids one for each site. */
function rowsOf(drifted: readonly DriftedSite[], { format }: ListOptions): DriftRow[] {
  const rows = drifted.flatMap(({ site_id, address, description, drift, problems }) => {
    const of = { site_id, address, description }
    return [
      ...problems.map(({ kind, name, message }) => ({
        ...of,
        kind,
        name,
        drift: message,
        by: null,
      })),
      ...drift.map((one) => ({
        ...of,
        kind: one.kind,
        name: one.name,
        drift: describeDrift(one),
        by: writerOf(one),
      })),
    ]
  })
  if (format !== 'ids') return rows
  return [...new Map(rows.map((row) => [row.site_id, row])).values()]
}

const writerOf = ({ by }: DriftedThing): string =>
  describeWriter(by && { ...by, created_at: by.at })

/** What has happened to a thing, by the step that would restore it. */
function describeDrift({ action, from, to }: DriftedThing): string {
  switch (action) {
    case 'created':
      return 'is missing'
    case 'deleted':
      return 'was added'
    case 'renamed':
      return from === undefined ? 'was renamed' : `was renamed to ${from}`
    case 'assigned':
      return `has ${from ?? 'nothing'} instead of ${to}`
    case 'cleared':
      return `was given ${from}`
    default:
      return 'was changed'
  }
}

/** Which side of a diff is which. */
const SIDES = ['      - on the site', '      + described']

function formatSite(site: DriftedSite): string {
  const { site_id, address, description, applied_at, drift, drift_total, problems } = site
  const more = drift_total - drift.length
  const lines = [
    `${address} (site ${site_id}), ${description}, applied at ${applied_at.slice(0, 19)}:`,
    ...problems.map((problem) => `  ! ${sentenceOf(problem)}`),
    ...drift.flatMap((one) => [
      `  ${one.kind} ${one.name} ${describeDrift(one)} by ${writerOf(one)}`,
      ...(one.diff ? SIDES : []),
      ...indentDiff(one),
    ]),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
  return sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))
}
