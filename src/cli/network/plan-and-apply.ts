import { randomUUID } from 'node:crypto'
import { createPlanContext, type RefusedProblems } from '../../plan/plan-context.ts'
import { createRun, type NewRun } from '../../plan/runs-table.ts'
import type { Step } from '../../plan/site-plan.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { type CliServices, CommandError } from '../cli-context.ts'
import { getAuthorId } from '../get-user.ts'
import { coloured, confirmOnTerminal, jsonLine, pluralize, warn } from '../terminal.ts'
import { assertMigrated, COMMAND_LABEL } from '../with-services.ts'
import { applyRun } from './apply-command.ts'
import type { ApplyRunOptions } from './apply-run.ts'
import { formatPlans, formatSummary, presentPlans } from './plan-groups.ts'
import { type DesiredOfSite, planSites } from './plan-sites.ts'
import { type RefusalOptions, refusalOf } from './problem-options.ts'

export type PlanAndApplyOptions = ApplyRunOptions &
  RefusalOptions & {
    /** Shows the plan only. */
    readonly dryRun?: true
    /** Login of the author. */
    readonly user?: string
  }

/**
 * Brings sites to what files say, in a run that applies exactly what is planned now. Without anything to do, there is no run.
 * @param advice what to do about problems, by their reason; `other` for reasons that are not named
 * @throws CommandError if a site is not applied (exit code 1) or the run was interrupted (130)
 */
export async function planAndApply(
  services: CliServices,
  sites: readonly DesiredOfSite[],
  options: PlanAndApplyOptions,
  advice: Readonly<Record<string, string>>,
): Promise<void> {
  await assertMigrated(services)
  const { dryRun = false, json, user } = options
  const refuses = refusalOf(options)
  const context = createPlanContext(await getAuthorId(services, user), {
    withDiffs: dryRun,
    refuses,
  })
  const groups = await planSites(services, sites, context)
  const plans = new Map(
    groups.all().flatMap(({ plan, sites }) => sites.map(({ blogId }) => [blogId, plan] as const)),
  )
  const { changed, blocked } = groups.totals()
  const isApplied = !dryRun && changed > 0
  for (const { site, findNotes, onApplied } of sites) {
    const plan = plans.get(site.blogId)
    if (!plan && !dryRun) await onApplied?.()
    if (!plan?.problems.some(({ kind }) => kind === 'site'))
      printNotes(site, [
        // Otherwise they are printed with the plan.
        ...(isApplied ? (plan?.warnings ?? []) : []).map(
          ({ name, message }) => `${name}: ${message}`,
        ),
        ...((await findNotes?.()) ?? []),
      ])
  }
  if (isApplied) {
    // One site without removals is what the files say; more should be looked at.
    const isSurveyed =
      sites.length === 1 && groups.all().every(({ plan }) => !plan.steps.some(isRemoval))
    if (!isSurveyed && !options.yes && process.stdin.isTTY) {
      process.stderr.write(coloured(formatSummary(groups), process.stderr))
      await confirmOnTerminal('Apply?')
    }
    const rows = [...plans].map(([blogId, { problems, digest, steps }]) => ({
      blogId,
      state: 'planned' as const,
      // A site with problems is planned again, and blocked.
      ...(problems.length > 0 ? {} : { digest, steps }),
    }))
    return applyNewRun(services, sites, rows, { ...options, refuses })
  }
  process.stdout.write(
    json ? jsonLine(presentPlans(groups)) : formatPlans(groups, { details: true }),
  )
  if (blocked === 0) return
  const reasons = new Set(
    [...plans.values()].flatMap(({ problems }) => problems.map(({ reason }) => reason)),
  )
  const lines = new Set([...reasons].flatMap((reason) => advice[reason] ?? advice.other ?? []))
  const what = `${pluralize(blocked, 'site')} blocked by problems, nothing was written.`
  throw new CommandError([what, ...lines].join(' '))
}

const isRemoval = ({ action }: Step): boolean => action === 'deleted' || action === 'cleared'

function printNotes(site: Site, notes: readonly string[]): void {
  warn(notes.map((note) => `${siteAddress(site)}: ${note}`))
}

/** `id`: that of an interrupted run, which is continued [a new run]. */
type RunOrigin = { readonly id?: string | undefined } & Pick<NewRun, 'replacement'>

/** Records a run without a description, and applies it to its sites. */
export async function applyNewRun(
  services: CliServices,
  sites: readonly DesiredOfSite[],
  rows: Parameters<typeof createRun>[3],
  options: PlanAndApplyOptions & { readonly refuses?: RefusedProblems },
  { id = randomUUID(), replacement }: RunOrigin = {},
): Promise<void> {
  const { db, globals } = services
  const author = { userId: null, tokenId: null, label: COMMAND_LABEL, requestId: id }
  const run: NewRun = {
    id,
    author,
    state: 'started',
    description: undefined,
    replacement,
    maxFailures: null,
  }
  await db.write({}, (tx) => createRun(tx, globals, run, rows))
  // A run that replaces a text is found again by it.
  await applyRun(services, id, sites, { ...options, isFinal: replacement === undefined })
}
