import { randomUUID } from 'node:crypto'
import { Command, InvalidArgumentError } from 'commander'
import { writeAs } from '../../db/database.ts'
import type { Description } from '../../description/description.ts'
import { resolveDescription } from '../../description/resolve-description.ts'
import { createPlanContext, type RefusedProblems } from '../../plan/plan-context.ts'
import { createRun, findRun, findUnfinishedRun, listRunSites } from '../../plan/runs-table.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { getAuthorId } from '../get-user.ts'
import { withInterruptSignal } from '../signals.ts'
import { type SiteRef, siteOption } from '../sites/site-options.ts'
import { coloured, confirmOnTerminal, jsonLine, pluralize, warn } from '../terminal.ts'
import { assertMigrated, COMMAND_LABEL, withServices } from '../with-services.ts'
import { type ApplyRunOptions, RunApplication } from './apply-run.ts'
import { detailsOption, formatPlans, formatSummary, presentPlans } from './plan-groups.ts'
import { chooseSite, type DesiredOfSite, planSites } from './plan-sites.ts'
import {
  allowProblemsOption,
  type RefusalOptions,
  refusalOf,
  strictOption,
} from './problem-options.ts'
import { inNoBundle, readFolder } from './read-folder.ts'
import { isSavedPlan, readSavedPlan, type SavedPlan } from './saved-plan.ts'

type ApplyOptions = ApplyRunOptions & RefusalOptions & { readonly user?: string }

type DescriptionOptions = ApplyOptions & {
  readonly dryRun?: true
  readonly details?: boolean
  readonly site?: SiteRef
}

/** `apply <folder|plan>`: brings sites to what a description says. */
export function applyCommand(context: CliContext): Command {
  const command = new Command('apply')
    .argument(
      '<folder|plan>',
      'the folder with network.yaml, or a file that plan --out has written',
    )
    .option('--dry-run', 'show the plan, and write nothing')
    .addOption(detailsOption())
    .addOption(siteOption())
    .addOption(allowProblemsOption())
    .addOption(strictOption())
    .addHelpText(
      'after',
      examples(
        'wp-frames apply network --dry-run',
        'wp-frames apply network --canary 3 --max-failures 5',
        'wp-frames apply plan.json --yes --user alice',
      ),
    )
  return addApplyOptions(command).action((path: string, options: DescriptionOptions) =>
    withServices(context, async (services) => {
      await assertMigrated(services)
      const saved = (await isSavedPlan(path)) ? await readSavedPlan(services, path) : undefined
      const { description, source, unused } = saved
        ? { ...saved, source: undefined, unused: [] }
        : await readFolder(path)
      const { db, globals } = services
      const resolve = () => resolveDescription(db, globals, description, source)
      const { sites: selected, warnings } = await (source ? source.locating(resolve) : resolve())
      warn([...unused.map(inNoBundle), ...warnings])
      if (saved) warnAboutMissing(saved, selected)
      const sites = await chooseSite(services, selected, options.site)
      const refuses = refusalOf(options, saved?.refuses)
      if (!(await isWanted(services, sites, refuses, options))) return
      const runId = await startRun(services, description, sites, saved)
      if (saved) await checkWhetherApplied(services, runId, sites)
      await applyRun(services, runId, sites, {
        ...options,
        plannedAt: saved?.createdAt,
        refuses,
      })
      if (saved && saved.blocked.length > 0) throw leftOut(saved.blocked)
    }),
  )
}

/**
 * Shows the plan for `--dry-run`. On a terminal, shows what a plan does and asks; scripts are not asked.
 * @throws CommandError if the answer is no, or if the plan of a dry run is blocked
 */
async function isWanted(
  services: CliServices,
  sites: readonly DesiredOfSite[],
  refuses: RefusedProblems,
  options: DescriptionOptions,
): Promise<boolean> {
  const { dryRun = false, details = false, yes, json } = options
  if (!dryRun && (yes || !process.stdin.isTTY)) return true
  const context = createPlanContext(0, { withDiffs: dryRun && (json ?? details), refuses })
  const groups = await planSites(services, sites, context)
  const { changed, blocked } = groups.totals()
  if (dryRun) {
    process.stdout.write(json ? jsonLine(presentPlans(groups)) : formatPlans(groups, { details }))
    if (blocked > 0) throw new CommandError(`${pluralize(blocked, 'site')} blocked by problems.`)
    return false
  }
  if (changed === 0) return true
  process.stderr.write(coloured(formatSummary(groups), process.stderr))
  await confirmOnTerminal('Apply?')
  return true
}

/** The options of commands that apply a run. */
export function addApplyOptions(command: Command): Command {
  return command
    .option(
      '--canary <sites>',
      'apply to so many sites first, build their pages, and ask',
      parseCount,
    )
    .option('--max-failures <sites>', 'stop when more sites than this have failed', parseCount)
    .option('--yes', 'do not ask, also not after the canary')
    .option('--no-wait', 'do not wait until the pages are built; the service builds them')
    .option('--user <login>', 'the author of frames and menu items')
    .option('--json', 'print {run, state, sites, results}')
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a number of sites.')
}

/** Sites of a saved plan that were deleted, or that the description does not select any more, are left alone. */
function warnAboutMissing(saved: SavedPlan, sites: readonly DesiredOfSite[]): void {
  const selected = new Set(sites.map(({ site }) => site.blogId))
  const missing = [...saved.sites.keys()].filter((blogId) => !selected.has(blogId))
  if (missing.length === 0) return
  process.stderr.write(
    `Sites that were deleted or are not selected any more are left alone: ${listIds(missing)}\n`,
  )
}

/** The plan has nothing for sites with problems, so they do not have what the description says. */
const leftOut = (blocked: readonly number[]): CommandError =>
  new CommandError(
    `${pluralize(blocked.length, 'site')} had problems when this was planned and got nothing: ${listIds(blocked)}. Solve the problems that "wp-frames plan" shows, and plan again.`,
  )

const listIds = (blogIds: readonly number[]): string =>
  `${blogIds.slice(0, MAX_LISTED_SITES).join(', ')}${blogIds.length > MAX_LISTED_SITES ? ', ...' : ''}`

/** Ids of sites in a message. */
const MAX_LISTED_SITES = 20

/**
 * Records a run, or finds the one that was interrupted: of the same saved plan, or of the same description within a day.
 * @returns its id
 */
async function startRun(
  services: CliServices,
  description: Description,
  sites: readonly DesiredOfSite[],
  saved: SavedPlan | undefined,
): Promise<string> {
  const { db, globals } = services
  const unfinished = saved ? undefined : await findUnfinishedRun(db, globals, description)
  const id = saved?.id ?? unfinished?.id ?? randomUUID()
  if (unfinished) process.stderr.write(continuing(id))
  const author = { userId: null, tokenId: null, label: COMMAND_LABEL, requestId: id }
  const run = { id, author, state: 'started', description, maxFailures: null } as const
  const rows = sites.flatMap(({ site: { blogId } }) => {
    if (!saved) return [{ blogId, state: 'planned' as const }]
    const planned = saved.sites.get(blogId)
    return planned ? [{ blogId, state: 'planned' as const, ...planned }] : []
  })
  await db.write({}, (tx) => createRun(tx, globals, run, rows))
  return id
}

/**
 * Says that a saved plan was applied to all of its sites before.
 * @throws CommandError if nothing of it is left to apply, but sites differ from it or were rolled back
 */
async function checkWhetherApplied(
  services: CliServices,
  runId: string,
  sites: readonly DesiredOfSite[],
): Promise<void> {
  const rows = await listRunSites(services.db, services.globals, runId)
  const states = new Map(rows.map(({ blog_id, state }) => [blog_id, state]))
  const isOver = [...states.values()].every((one) => one === 'applied' || one === 'rolled_back')
  if (rows.length === 0 || !isOver) return
  const own = sites.filter(({ site }) => states.has(site.blogId))
  const groups = await planSites(services, own, createPlanContext(0))
  const { changed, blocked } = groups.totals()
  if (changed + blocked > 0) {
    throw new CommandError(
      `This plan was applied already (run ${runId}), and sites have changed since or were rolled back: ${changed + blocked} of ${own.length}. Plan again.`,
    )
  }
  process.stderr.write(`This plan was applied already (run ${runId}). Nothing is left to do.\n`)
}

/** Says that a command continues an interrupted run. */
export const continuing = (runId: string): string => `Continuing the run ${runId}.\n`

/** Applies a recorded run to its sites. `plannedAt`: when a saved plan was made. */
export async function applyRun(
  services: CliServices,
  runId: string,
  sites: readonly DesiredOfSite[],
  options: ApplyOptions & {
    readonly plannedAt?: string | undefined
    readonly refuses?: RefusedProblems | undefined
  },
): Promise<void> {
  const { db, globals } = services
  const run = await findRun(db, globals, runId)
  if (!run) throw new CommandError(`The run ${runId} was deleted meanwhile.`)
  const rows = await listRunSites(db, globals, runId)
  const author = { userId: null, tokenId: null, label: COMMAND_LABEL, requestId: runId }
  const { refuses } = options
  const context = createPlanContext(await getAuthorId(services, options.user), { refuses })
  const application = new RunApplication(
    { ...services, db: writeAs(db, author) },
    { run, rows, context, options, plannedAt: options.plannedAt },
  )
  await withInterruptSignal((signal) => application.run(sites, signal))
  await application.finish()
}
