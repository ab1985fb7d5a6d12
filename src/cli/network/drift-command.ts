import { Command } from 'commander'
import { presentSiteDrift } from '../../api/endpoints/plans.ts'
import { isOutage } from '../../db/is-outage.ts'
import {
  type ComparedSite,
  compareApplied,
  findAppliedSites,
  type SiteDrift,
} from '../../plan/find-drift.ts'
import { describeWriter } from '../../plan/moved-steps.ts'
import type { Step } from '../../plan/site-plan.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { type CliContext, CommandError, HAS_CHANGES } from '../cli-context.ts'
import { describeError, describeKnownError } from '../describe-error.ts'
import { examples } from '../examples.ts'
import {
  addListOptions,
  formatRows,
  isWholeAnswer,
  type List,
  type ListOptions,
} from '../list-output.ts'
import { sitesAtOnce } from '../sites/run-over-sites.ts'
import { coloured, pluralize, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { indentDiff } from './plan-groups.ts'

type DriftOptions = ListOptions & { readonly exitCode?: true }

/** One thing that differs, of one site. */
type DriftRow = {
  readonly site_id: number
  readonly address: string
  readonly description: string
  readonly kind: string
  readonly name: string
  readonly drift: string
  readonly by: string | null
}

const DRIFT: List<DriftRow> = {
  id: 'site_id',
  shown: ['site_id', 'address', 'description', 'kind', 'name', 'drift', 'by'],
}

/** The command compares all sites, and prints everything of those with drift: `GET /network/drift` answers in pages, and cuts them. */
const UNLIMITED = { things: Number.POSITIVE_INFINITY, diffLength: Number.POSITIVE_INFINITY }

const isDrifted = ({ drift, problems }: SiteDrift): boolean => drift.length + problems.length > 0

/** `drift [name]`: shows what was changed since the last run of each description, and by whom. */
export function driftCommand(context: CliContext): Command {
  const command = new Command('drift')
    .argument('[name]', 'the name of a description; by default of all')
    .option('--exit-code', `exit with ${HAS_CHANGES} if something was changed`)
    .addHelpText(
      'after',
      examples(
        'wp-frames drift shops --exit-code',
        'wp-frames drift --format csv --fields site_id,kind,name,by',
        'wp-frames drift shops --format ids | xargs -r -n 1 wp-frames apply network --yes --site',
      ),
    )
  addListOptions(command, DRIFT, '{sites, drifted, results, failures}')
  return command.action((name: string | undefined, options: DriftOptions) =>
    withServices(context, async (services) => {
      const { exitCode } = options
      await assertMigrated(services)
      const failures: { description: string; message: string }[] = []
      const onFailure = async (of: string, error: unknown): Promise<void> => {
        if (await isOutage(services.db, error)) throw error
        if (describeKnownError(error) === undefined) services.log.error({ err: error })
        failures.push({ description: of, message: describeError(error) })
      }
      const sites = await findAppliedSites(services.db, services.globals, name, onFailure)
      if (sites.length + failures.length === 0 && name !== undefined)
        throw new CommandError(`No run has applied a description "${name}" to any site.`)
      const atOnce = sitesAtOnce(services)
      const compared = await compareApplied(services.db, sites, atOnce, onFailure)
      const drifted = compared.filter(isDrifted)
      const answer = {
        sites: sites.length,
        drifted: drifted.length,
        results: drifted.map((site) => presentSiteDrift(site, UNLIMITED)),
        failures,
      }
      const isList = options.format !== undefined || options.fields !== undefined
      process.stdout.write(
        isList || isWholeAnswer(options)
          ? formatRows(DRIFT, rowsOf(drifted, options), answer, options)
          : coloured(
              `${drifted.map(formatSite).join('')}${pluralize(sites.length, 'site')}, ${drifted.length} with drift\n`,
            ),
      )
      if (failures.length > 0) {
        const lines = failures.map(({ description, message }) => `${description}: ${message}`)
        throw new CommandError(`Not compared:\n${sanitizeForTerminal(lines.join('\n'))}`)
      }
      if (exitCode && drifted.length > 0)
        throw new CommandError('Sites differ from the last apply.', HAS_CHANGES)
    }),
  )
}

/** One row for each thing; for ids one for each site. */
function rowsOf(drifted: readonly ComparedSite[], { format }: ListOptions): DriftRow[] {
  const rows = drifted.flatMap(({ site, name: description, drift, problems }) => {
    const of = { site_id: site.blogId, address: siteAddress(site), description }
    return [
      ...problems.map(({ kind, name, message }) => ({
        ...of,
        kind,
        name,
        drift: message,
        by: null,
      })),
      ...drift.map(({ step, writer }) => ({
        ...of,
        kind: step.kind,
        name: step.name,
        drift: describeDrift(step),
        by: describeWriter(writer),
      })),
    ]
  })
  if (format !== 'ids') return rows
  return [...new Map(rows.map((row) => [row.site_id, row])).values()]
}

/** What has happened to a thing, by the step that would restore it. */
function describeDrift({ action, from, to }: Step): string {
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

function formatSite({ site, name, appliedAt, drift, problems }: ComparedSite): string {
  const lines = [
    `${siteAddress(site)} (site ${site.blogId}), ${name}, applied at ${appliedAt.slice(0, 19)}:`,
    ...problems.map(({ kind, name, message }) => `  ! ${kind} ${name}: ${message}`),
    ...drift.flatMap(({ step, writer }) => [
      `  ${step.kind} ${step.name} ${describeDrift(step)} by ${describeWriter(writer)}`,
      ...(step.diff ? SIDES : []),
      ...indentDiff(step),
    ]),
  ]
  return sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))
}
