import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Plan } from '#client'
import { describeWork } from '../../content/work/describe-work.ts'
import { CommandError, INTERRUPTED } from '../cli-context.ts'
import { numberBy } from '../parse-id.ts'
import {
  coloured,
  confirm,
  confirmOnTerminal,
  jsonLine,
  pluralize,
  sanitizeForTerminal,
} from '../terminal.ts'
import {
  type DescribeProblem,
  formatPlans,
  formatStep,
  nameOfSite,
  PlanGroups,
  sentenceOf,
} from './plan-groups.ts'
import {
  followPlan,
  notReady,
  type PlannedSite,
  type PlanWithSites,
  type RunSession,
  readWholePlan,
  withDiffs,
} from './run-client.ts'

export type ApplyOptions = {
  readonly canary?: number
  readonly maxFailures?: number
  readonly yes?: true
  /** False: the pages are built by the service. */
  readonly wait: boolean
  /** False: nothing is built until somebody asks for it [true]. */
  readonly bake?: boolean
  readonly user?: string
  readonly json?: true
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
    .option('--json', 'print {run, title, state, sites, results}')
}

const parseCount = numberBy(/^\d{1,9}$/, 'Use a number of sites.')

type ApplyInput = {
  readonly session: RunSession
  readonly options: ApplyOptions
  readonly describe?: DescribeProblem
  /** Runs when the sites have got what was planned [nothing]. */
  readonly onApplied?: (applied: readonly PlannedSite[]) => Promise<void>
}

/** Says what a plan does, by name, and asks on a terminal; scripts are not asked. @throws CommandError if the answer is no */
export async function confirmPlan(
  { service }: RunSession,
  { id, title }: Plan,
  results: readonly PlannedSite[],
  describe: DescribeProblem,
): Promise<void> {
  if (!process.stdin.isTTY) return
  const text = `${sanitizeForTerminal(title)}\n${formatPlans(new PlanGroups(results), describe)}`
  process.stderr.write(coloured(text, process.stderr))
  const details = async () =>
    formatPlans(new PlanGroups(await withDiffs(service.client, id, results)), describe)
  await confirmOnTerminal('Apply?', false, details)
}

/**
 * Applies a plan: first to the canary, and asks, then to the other sites. Waits for their pages, and prints what became of each site.
 * @throws CommandError if a site is not applied, or has pages that could not be built (exit code 1); on Ctrl-C (130)
 */
export async function applyPlan(
  planned: PlanWithSites,
  { session, options, describe = sentenceOf, onApplied }: ApplyInput,
): Promise<void> {
  const { canary = 0, yes } = options
  const { id } = planned.plan
  let applied = canary > 0 ? await applyTo(session, planned, options, canary) : undefined
  const isOver = applied !== undefined && applied.plan.state !== 'planned'
  const ending = applied && (await endingOfCanary(planned, applied, { yes, describe }))
  if (!isOver && !ending) applied = await applyTo(session, planned, options)
  const { plan, results, failures } = applied ?? { ...planned, failures: NO_FAILURES }
  await onApplied?.(results.filter(({ state }) => state === 'applied'))
  process.stdout.write(
    options.json
      ? jsonLine(presentRun({ plan, results, failures }))
      : formatResults(results, failures, describe) + formatTotal(plan, results),
  )
  if (ending) throw new CommandError(`Stopped after ${ending}. ${continueSentence(id)}`)
  if (plan.state === 'failed')
    throw new CommandError(`${plan.message ?? 'The run has failed.'} ${continueSentence(id)}`)
  const left = results.filter(({ state }) => state !== 'applied')
  const skipped = left.filter(({ state }) => state === 'skipped').length
  const why = skipped > 0 ? `, ${skipped} of them after too many failures` : ''
  if (left.length > 0)
    throw new CommandError(
      `${pluralize(left.length, 'site')} not applied${why}. Plan again for them, or roll back with "wp-frames rollback ${id}".`,
    )
  assertBuilt(failures)
}

/** What could not be built, by site. */
type BuildFailures = ReadonlyMap<number, readonly string[]>
const NO_FAILURES: BuildFailures = new Map()

type AppliedPlan = PlanWithSites & { readonly failures: BuildFailures }

/** @throws CommandError if pages could not be built */
export function assertBuilt({ size }: BuildFailures): void {
  if (size === 0) return
  throw new CommandError(`${pluralize(size, 'site')} with pages that could not be built.`)
}

/** Applies a plan to so many sites, or to all that are left, and waits for the pages of the sites that it has written to. */
async function applyTo(
  session: RunSession,
  { plan: { id, ...before } }: PlanWithSites,
  { maxFailures, bake = true }: ApplyOptions,
  canary?: number,
): Promise<AppliedPlan> {
  const { service, signal, wait } = session
  const limits = maxFailures === undefined ? {} : { max_failures: maxFailures }
  const body = { ...limits, ...(canary === undefined ? {} : { canary }), bake }
  await service.client.applyPlan({ id, body }).catch(notReady({ id, ...before }))
  const stopped = `Stopped. ${continueSentence(id)} A process of the service continues it by itself.`
  const plan = await followPlan(session, id, stopped)
  const { results } = await readWholePlan(service.client, id)
  const written = results.filter(({ state, steps_total }) => state === 'applied' && steps_total > 0)
  const siteIds = new Set(wait && bake ? written.map(({ site_id }) => site_id) : [])
  const failures = await waitForPages(session, siteIds)
  if (signal.aborted) throw new CommandError(plan.state === 'done' ? WRITTEN : stopped, INTERRUPTED)
  return { plan, results, failures }
}

const WRITTEN =
  'Stopped. The run is done, and the service builds the pages: "wp-frames work --wait" waits for them.'

const continueSentence = (id: string): string =>
  `Continue with "wp-frames apply ${id}", or roll back with "wp-frames rollback ${id}".`

/** @returns why the other sites get nothing: the canary has failed, or the answer is no. Without a terminal nobody is asked. */
async function endingOfCanary(
  planned: PlanWithSites,
  { plan, results, failures }: AppliedPlan,
  { yes, describe }: { readonly yes: true | undefined; readonly describe: DescribeProblem },
): Promise<string | undefined> {
  const open = planned.results.filter(({ state }) => state === 'planned')
  const tried = new Set(open.map(({ site_id }) => site_id))
  const of = results.filter(({ site_id, state }) => tried.has(site_id) && state !== 'planned')
  if (failures.size > 0 || of.some(({ state }) => state !== 'applied'))
    return 'a failure of the canary'
  if (plan.state !== 'planned' || yes) return undefined
  if (!process.stdin.isTTY) return 'the canary'
  process.stderr.write(formatResults(of, failures, describe))
  return (await confirm('Apply to the other sites too?')) ? undefined : 'the canary'
}

/** A run for `--json`. */
export function presentRun({ plan, results, failures }: AppliedPlan) {
  const { id: run, title, state, sites } = plan
  return {
    run,
    title,
    state,
    sites,
    results: results.map((site) => ({
      site_id: site.site_id,
      address: site.address,
      state: site.state,
      message: site.message,
      steps: site.steps_total,
      warnings: site.warnings,
      failures: failures.get(site.site_id) ?? [],
    })),
  }
}

function formatTotal({ id, title }: Plan, results: readonly PlannedSite[]): string {
  const applied = results.filter(({ state }) => state === 'applied')
  const changed = applied.filter(({ steps_total }) => steps_total > 0)
  const steps = changed.reduce((sum, { steps_total }) => sum + steps_total, 0)
  const others = ['refused', 'blocked', 'failed', 'skipped', 'planned'].flatMap((state) => {
    const count = results.filter((result) => result.state === state).length
    return count > 0 ? [`${count} ${state}`] : []
  })
  const counts = [
    `${pluralize(steps, 'step')} on ${pluralize(changed.length, 'site')}`,
    `${applied.length - changed.length} without changes`,
    ...others,
  ]
  return sanitizeForTerminal(`${title}, run ${id}: ${counts.join(', ')}\n`)
}

/** Results of more sites are summed up. */
const MAX_LISTED_SITES = 20

/** Everything that needs attention, and what was done if it is little. */
export function formatResults(
  results: readonly PlannedSite[],
  failures: BuildFailures,
  describe: DescribeProblem,
): string {
  const changed = results.filter(({ steps_total }) => steps_total > 0)
  const lines = results.flatMap((site) => {
    const { site_id, state, message, problems, warnings } = site
    const isShown = changed.length <= MAX_LISTED_SITES && state === 'applied'
    const shown = isShown ? site.steps.map(formatStep) : []
    const reasons =
      state === 'blocked' && problems.length > 0
        ? problems.map(describe)
        : state === 'applied' || state === 'planned'
          ? []
          : (message?.split('\n') ?? [])
    const all = [
      ...reasons,
      ...(failures.get(site_id) ?? []),
      ...warnings.map((one) => `warning: ${describe(one)}`),
      ...shown,
    ]
    if (all.length === 0) return []
    return [`${nameOfSite(site)}: ${state}`, ...all.map((line) => `  ${line}`)]
  })
  return sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))
}

type WorkSum = { readonly pages: number; readonly frames: number }

const NOTHING_BUILDS =
  'Nothing builds its pages: check that a process of the service with the executor runs ("wp-frames serve" or "wp-frames serve executor").'

/**
 * Waits until the pages of these sites are built, or only work is left that fails, or that nobody does.
 * @returns what could not be built, by site; the writes remain
 */
export async function waitForPages(
  { service, signal }: RunSession,
  siteIds: ReadonlySet<number>,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const failed = new Map<number, string[]>()
  if (siteIds.size === 0) return failed
  let last = { left: -1, at: 0 }
  for (;;) {
    const { total, sites, sites_total, failures } = await service.client.getNetworkWork()
    const busy = sites.filter(
      ({ site_id, pending, failing }) => siteIds.has(site_id) && sumOf(pending) > sumOf(failing),
    )
    const isBusy = busy.length > 0
    const left = sumOf(total.pending)
    if (left !== last.left || sumOf(total.running) > 0) last = { left, at: performance.now() }
    if (isBusy && performance.now() - last.at > service.timings.cli.idleWorkMs)
      return new Map(busy.map(({ site_id }) => [site_id, [NOTHING_BUILDS]]))
    if (signal.aborted || (!isBusy && sites_total <= sites.length)) {
      for (const { site_id, ...failure } of failures) {
        if (!siteIds.has(site_id)) continue
        const sentence = `${describeWork(failure)} could not be built: ${failure.error ?? 'no reason is stored.'}`
        failed.set(site_id, [...(failed.get(site_id) ?? []), sentence])
      }
      return failed
    }
    await sleep(service.timings.cli.workPollMs, undefined, { signal }).catch(() => {})
  }
}

/** Purges of page caches are no pages. */
const sumOf = ({ pages, frames }: WorkSum): number => pages + frames
