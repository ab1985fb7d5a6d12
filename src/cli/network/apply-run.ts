import { forEachBounded } from '../../concurrency/for-each.ts'
import { maxSiteBytesOf } from '../../config/config.ts'
import { isExecutorUnavailable } from '../../executor/executor.ts'
import { applyRunSite, openStates, type RunSiteOutcome } from '../../plan/apply-run-site.ts'
import type { PlanContext } from '../../plan/plan-context.ts'
import { UNAPPLIED_STATES } from '../../plan/run-states.ts'
import { listRuns, type Run, type RunSite, setRunState } from '../../plan/runs-table.ts'
import type { PlanProblem } from '../../plan/site-plan.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import type { RecordedChange } from '../../work/record-work.ts'
import { type CliServices, CommandError, INTERRUPTED } from '../cli-context.ts'
import { describeError, describeKnownError } from '../describe-error.ts'
import { ProgressBar } from '../sites/progress-bar.ts'
import { sitesAtOnce } from '../sites/run-over-sites.ts'
import { summarizeEffects } from '../summarize-effects.ts'
import { confirm, jsonLine, pluralize, sanitizeForTerminal } from '../terminal.ts'
import { formatStep } from './plan-groups.ts'
import type { DesiredOfSite } from './plan-sites.ts'

export type ApplyRunOptions = {
  readonly canary?: number
  readonly maxFailures?: number
  readonly yes?: true
  /** False: the pages are built by the service. */
  readonly wait: boolean
  /** False: nothing is built until somebody asks for it [true]. */
  readonly bake?: boolean
  readonly json?: true
  /** The command cannot continue the run: it makes a new one the next time [false]. */
  readonly isFinal?: boolean
}

type RunInput = {
  readonly run: Run
  readonly rows: readonly RunSite[]
  readonly context: PlanContext
  readonly options: ApplyRunOptions
  /** When a saved plan was made. */
  readonly plannedAt: string | undefined
}

type ReportedSite = Pick<RunSiteOutcome, 'state' | 'message'> & {
  readonly site: Site
  /** Number of steps. The steps of a thousand sites would take much memory. */
  readonly steps: number
  /** The steps for readers, of the first sites. */
  readonly lines: readonly string[]
  readonly warnings: readonly PlanProblem[]
  /** What could not be built. The writes remain. */
  readonly failures: readonly string[]
}

/** Why a run has ended before its last site. */
type RunEnding = 'interrupted' | 'failures' | 'canary' | 'declined'

/** The application of one run by this process. */
export class RunApplication {
  readonly #services: CliServices
  readonly #input: RunInput
  readonly #results: ReportedSite[] = []
  /** Ids of the sites that are not applied, also by former processes of the run. */
  readonly #failed: Set<number>
  #ending: RunEnding | undefined

  /** @param services with a database that writes as the author of the run */
  constructor(services: CliServices, input: RunInput) {
    this.#services = services
    this.#input = input
    const failed = input.rows.filter(({ state }) => UNAPPLIED_STATES.includes(state))
    this.#failed = new Set(failed.map(({ blog_id }) => blog_id))
  }

  /** Applies the run to these sites, as far as they are rows of it: first to the canary, then to the others. */
  async run(sites: readonly DesiredOfSite[], signal: AbortSignal): Promise<void> {
    const rows = new Map(this.#input.rows.map((row) => [row.blog_id, row]))
    const open = sites.filter(({ site }) => {
      const row = rows.get(site.blogId)
      return row && openStates(this.#input.run, row).includes(row.state)
    })
    const bar = new ProgressBar(open.length)
    signal.addEventListener('abort', () => bar.stop())
    const work = async (one: DesiredOfSite, wait: boolean): Promise<void> => {
      if (signal.aborted) this.#ending = 'interrupted'
      if (this.#ending) return
      bar.begin(one.site)
      await this.#applyTo(one, rows.get(one.site.blogId), wait)
      bar.finish()
    }
    try {
      const rest = await this.#runCanary(open, work)
      if (rest.length > 0 && (await this.#isConfirmed(bar)))
        await forEachBounded(rest, sitesAtOnce(this.#services), (one) =>
          work(one, this.#input.options.wait),
        )
    } finally {
      bar.stop()
    }
  }

  /** Waits for the pages of each site, because they show whether it works. @returns the sites that are left */
  async #runCanary(
    open: readonly DesiredOfSite[],
    work: (one: DesiredOfSite, wait: boolean) => Promise<void>,
  ): Promise<readonly DesiredOfSite[]> {
    const { canary = 0 } = this.#input.options
    let at = 0
    // Sites that lack nothing show nothing, so they do not count.
    const count = () => this.#results.filter((result) => result.steps > 0 || isWrong(result)).length
    while (at < open.length && count() < canary && !this.#ending) {
      const one = open[at]
      at += 1
      if (one) await work(one, true)
      if (this.#results.some(isWrong)) this.#ending ??= 'canary'
    }
    return open.slice(at)
  }

  #countChanged(): number {
    return this.#results.filter(({ steps }) => steps > 0).length
  }

  async #isConfirmed(bar: ProgressBar): Promise<boolean> {
    const { canary = 0, yes } = this.#input.options
    if (canary === 0 || yes || this.#ending) return true
    bar.stop()
    // Without a terminal nobody is asked, and the results are printed at the end.
    if (process.stdin.isTTY) process.stderr.write(formatResults(this.#results))
    const isConfirmed = await confirm('Apply to the other sites too?').catch((error) => {
      this.#ending = 'declined'
      if (error instanceof CommandError) return false
      throw error
    })
    if (!isConfirmed) this.#ending = 'declined'
    return isConfirmed
  }

  async #applyTo(
    { site, desired, onApplied }: DesiredOfSite,
    planned: RunSite | undefined,
    wait: boolean,
  ): Promise<void> {
    const { run, context, options, plannedAt } = this.#input
    const { db, log } = this.#services
    if (!planned) return
    const {
      change,
      state,
      message,
      steps,
      warnings = [],
    } = await applyRunSite(db, { run, site, desired, planned, plannedAt }, context, {
      maxSiteBytes: maxSiteBytesOf(this.#services.config),
      bake: options.bake,
      describeFailure: (error) => {
        if (describeKnownError(error) === undefined) log.error({ err: error, site: site.blogId })
        return describeError(error).split('\n', 1)[0] ?? ''
      },
    })
    if (state === 'applied') await onApplied?.()
    const failures = change && wait ? await this.#build(site, change) : []
    const lines = this.#countChanged() < MAX_LISTED_SITES ? steps.map(formatStep) : []
    this.#results.push({ site, state, message, steps: steps.length, lines, warnings, failures })
    if (state === 'applied') {
      this.#failed.delete(site.blogId)
      return
    }
    this.#failed.add(site.blogId)
    if (options.maxFailures !== undefined && this.#failed.size > options.maxFailures)
      this.#ending = 'failures'
  }

  /** @returns what could not be built */
  async #build(site: Site, change: RecordedChange): Promise<readonly string[]> {
    try {
      return summarizeEffects(await this.#services.executor.apply(site, change)).failures
    } catch (error) {
      if (!isExecutorUnavailable(error)) throw error
      return [error.message]
    }
  }

  /**
   * Stores whether the run is done, and prints the results.
   * @throws CommandError if a site failed (exit code 1) or the run was interrupted (130)
   */
  async finish(): Promise<void> {
    const { run, options } = this.#input
    const { db, globals } = this.#services
    const [summary] = await listRuns(db, globals, { id: run.id, limit: 1 })
    const { applied = 0, rolled_back = 0, ...left } = summary?.sites ?? {}
    const open = Object.values(left).reduce((sum, count) => sum + count, 0)
    const state = open === 0 || options.isFinal ? 'done' : 'started'
    await setRunState(db, globals, run, state)
    const results = this.#results.sort((a, b) => a.site.blogId - b.site.blogId)
    process.stdout.write(
      options.json
        ? jsonLine({ run: run.id, state, sites: summary?.sites, results: results.map(presented) })
        : `${formatResults(results)}${formatTotal(run.id, results)}`,
    )
    const next = options.isFinal ? 'for the other sites' : 'to continue'
    const again = `Run the same command again ${next}, or roll back with "wp-frames rollback ${run.id}".`
    if (this.#ending === 'interrupted') throw new CommandError(`Stopped. ${again}`, INTERRUPTED)
    if (this.#ending) throw new CommandError(`Stopped after ${REASONS[this.#ending]}. ${again}`)
    const failed = results.filter(({ state }) => state !== 'applied').length
    if (failed > 0) throw new CommandError(`${pluralize(failed, 'site')} not applied. ${again}`)
    const unbuilt = results.filter(isWrong).length
    if (unbuilt > 0)
      throw new CommandError(`${pluralize(unbuilt, 'site')} with pages that could not be built.`)
  }
}

const REASONS = {
  failures: 'too many failures',
  canary: 'a failure of the canary',
  declined: 'the canary',
} as const

const isWrong = ({ state, failures }: ReportedSite): boolean =>
  state !== 'applied' || failures.length > 0

const presented = ({ site, lines: _, ...result }: ReportedSite) => ({
  site_id: site.blogId,
  address: siteAddress(site),
  ...result,
})

function formatTotal(runId: string, results: readonly ReportedSite[]): string {
  const applied = results.filter(({ state }) => state === 'applied')
  const changed = applied.filter(({ steps }) => steps > 0)
  const steps = changed.reduce((sum, result) => sum + result.steps, 0)
  const others = ['refused', 'blocked', 'failed'].flatMap((state) => {
    const count = results.filter((result) => result.state === state).length
    return count > 0 ? [`${count} ${state}`] : []
  })
  return `Run ${runId}: ${[`${pluralize(steps, 'step')} on ${pluralize(changed.length, 'site')}`, `${applied.length - changed.length} without changes`, ...others].join(', ')}\n`
}

/** Results of more sites are summed up. */
const MAX_LISTED_SITES = 20

/** Everything that needs attention, and what was done if it is little. */
function formatResults(results: readonly ReportedSite[]): string {
  const changed = results.filter(({ steps }) => steps > 0)
  const lines = results.flatMap(({ site, state, lines: steps, message, warnings, failures }) => {
    const name = `${siteAddress(site)} (site ${site.blogId})`
    const shown = changed.length <= MAX_LISTED_SITES ? steps : []
    const problems = [...(message === null ? [] : message.split('\n')), ...failures]
    const mistakes = warnings.map(
      ({ kind, name, message }) => `warning: ${kind} ${name}: ${message}`,
    )
    if (problems.length + shown.length + mistakes.length === 0) return []
    return [`${name}: ${state}`, ...[...problems, ...mistakes, ...shown].map((line) => `  ${line}`)]
  })
  return sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))
}
