import { type Command, InvalidArgumentError } from 'commander'
import type { Plan } from '#client'
import { CommandError, INTERRUPTED } from '../cli-context.ts'
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
  type RunSession,
  readWholePlan,
  withDiffs,
} from './run-client.ts'
import { waitForPages } from './wait-for-pages.ts'

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

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a number of sites.')
}

/** Why an application has ended before its last site. */
type ApplicationEnding = 'canary' | 'declined'

const ENDINGS: Readonly<Record<ApplicationEnding, string>> = {
  canary: 'a failure of the canary',
  declined: 'the canary',
}

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
export async function applyPlan(plan: Plan, input: ApplyInput): Promise<void> {
  const { session, options, describe = sentenceOf, onApplied } = input
  const { canary = 0 } = options
  const application = new Application(session, plan, options)
  let ending: ApplicationEnding | undefined
  if (canary > 0) {
    await application.request({ canary })
    if (application.hasFailed()) ending = 'canary'
    else if (application.plan.state === 'planned' && !options.yes)
      ending = await askAfterCanary(application.results, describe)
  }
  const isWhole = canary === 0 || application.plan.state === 'planned'
  if (!ending && isWhole) await application.request({})
  const { results, failures } = application
  await onApplied?.(results.filter(({ state }) => state === 'applied'))
  process.stdout.write(
    options.json
      ? jsonLine(presentRun(application))
      : formatResults(results, failures, describe) + formatTotal(application.plan, results),
  )
  assertApplied(application, ending)
}

/** @returns why the other sites get nothing */
async function askAfterCanary(
  results: readonly PlannedSite[],
  describe: DescribeProblem,
): Promise<ApplicationEnding | undefined> {
  // Without a terminal nobody is asked, and the results are printed at the end.
  if (!process.stdin.isTTY) return 'declined'
  const tried = results.filter(({ state }) => state !== 'planned')
  process.stderr.write(formatResults(tried, new Map(), describe))
  return (await confirm('Apply to the other sites too?')) ? undefined : 'declined'
}

/** The application of one plan, as far as this command has followed it. */
class Application {
  plan: Plan
  results: readonly PlannedSite[] = []
  /** What could not be built, by site. */
  failures: ReadonlyMap<number, readonly string[]> = new Map()
  readonly #session: RunSession
  readonly #options: ApplyOptions

  constructor(session: RunSession, plan: Plan, options: ApplyOptions) {
    this.#session = session
    this.plan = plan
    this.#options = options
  }

  async request(more: { readonly canary?: number }): Promise<void> {
    const { service, wait } = this.#session
    const { maxFailures: max_failures, bake = true } = this.#options
    const { id } = this.plan
    const body = { ...more, bake, ...(max_failures === undefined ? {} : { max_failures }) }
    await service.client.applyPlan({ id, body }).catch(notReady(this.plan))
    this.plan = await followPlan(this.#session, id, stoppedSentence(id))
    const { results } = await readWholePlan(service.client, id)
    this.results = results
    const built = results.filter(({ state, steps_total }) => state === 'applied' && steps_total > 0)
    const siteIds = new Set(built.map(({ site_id }) => site_id))
    if (wait && bake) this.failures = await waitForPages(this.#session, siteIds)
    if (this.#session.signal.aborted) throw new CommandError(stoppedSentence(id), INTERRUPTED)
  }

  hasFailed(): boolean {
    return this.failures.size > 0 || this.results.some(({ state }) => isFailure(state))
  }
}

const stoppedSentence = (id: string): string =>
  `Stopped. ${continueSentence(id)} A process of the service continues it by itself.`

const continueSentence = (id: string): string =>
  `Continue with "wp-frames apply ${id}", or roll back with "wp-frames rollback ${id}".`

/** A site that was blocked when it was planned is none of the canary. */
const isFailure = (state: PlannedSite['state']): boolean =>
  state === 'failed' || state === 'refused'

/** @throws CommandError */
function assertApplied(
  { plan, results, failures }: Application,
  ending: ApplicationEnding | undefined,
): void {
  const { id } = plan
  if (ending) throw new CommandError(`Stopped after ${ENDINGS[ending]}. ${continueSentence(id)}`)
  if (plan.state === 'failed')
    throw new CommandError(`${plan.message ?? 'The run has failed.'} ${continueSentence(id)}`)
  const left = results.filter(({ state }) => state !== 'applied')
  const skipped = left.filter(({ state }) => state === 'skipped').length
  const why = skipped > 0 ? `, ${skipped} of them after too many failures` : ''
  if (left.length > 0)
    throw new CommandError(
      `${pluralize(left.length, 'site')} not applied${why}. Plan again for them, or roll back with "wp-frames rollback ${id}".`,
    )
  if (failures.size > 0)
    throw new CommandError(
      `${pluralize(failures.size, 'site')} with pages that could not be built.`,
    )
}

/** A run for `--json`. */
export function presentRun({
  plan,
  results,
  failures = new Map(),
}: Pick<Application, 'plan' | 'results'> & Partial<Pick<Application, 'failures'>>) {
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
  failures: ReadonlyMap<number, readonly string[]>,
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
