import { randomUUID } from 'node:crypto'
import { BackgroundLoop } from '../concurrency/background-loop.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
import { type Database, writeAs } from '../db/database.ts'
import { isMissingTable } from '../db/database-error.ts'
import { isOutage } from '../db/is-outage.ts'
import { keepRenewing, releaseLease, renewLease } from '../db/lease.ts'
import { AppError } from '../errors.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import type { Log } from '../log.ts'
import { listManageableSites } from '../wordpress/network/find-sites.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { applyRunSite } from './apply-run-site.ts'
import { readDesired } from './apply-site.ts'
import { type ClaimedRun, claimRun } from './claim-run.ts'
import { createPlanContext } from './plan-context.ts'
import { planSite } from './plan-site.ts'
import { beginRollback, rollBackRunSite } from './roll-back-run-site.ts'
import { UNAPPLIED_STATES } from './run-states.ts'
import { findRunTargets } from './run-targets.ts'
import {
  listRunSites,
  messageOfProblems,
  type Run,
  type RunSite,
  type RunSiteResult,
  readRunDescription,
  setRunSites,
  setRunState,
} from './runs-table.ts'

export type RunWorkerOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  /** Analyzes the markup of described frames. */
  readonly analyzer: MarkupAnalyzer
  /** Limit for the markup of all frames of a site, in bytes [none]. */
  readonly maxSiteBytes: number | undefined
  /** Starts the building of what was written to a site. */
  readonly wake: (blogId: number) => void
}

/** Sites of a run that are worked on at the same time, beside the requests of the process. */
const SITES_AT_ONCE = 2

/** This process has lost its lease, or is stopping. */
class StoppedError extends Error {}

/**
 * Plans, applies and rolls back the runs of the API, site by site. Any number of processes look for them; one has the lease of a run. If it is
 * killed, another one continues: the state of each site is stored in the transaction of its writes.
 */
export class RunWorker {
  readonly #options: RunWorkerOptions
  readonly #loop: BackgroundLoop

  constructor(options: RunWorkerOptions) {
    this.#options = options
    this.#loop = new BackgroundLoop(() => this.#run())
  }

  /** Ends after the sites in progress. */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #run(): Promise<number> {
    const { db, globals, log } = this.#options
    const { pollMs } = db.timings.plan
    try {
      const claimed = await claimRun(db, globals)
      if (!claimed) return pollMs
      await this.#workOn(claimed)
      return 0
    } catch (error) {
      if (!isMissingTable(error)) log.warn({ err: error }, 'could not work on runs')
      return pollMs
    }
  }

  async #workOn({ run, lease }: ClaimedRun): Promise<void> {
    const { db, globals, log } = this.#options
    const renewal = keepRenewing(lease.lengthMs, () => renewLease(db, lease))
    const check = (): void => {
      if (renewal.lost.aborted || this.#loop.signal.aborted) throw new StoppedError()
    }
    try {
      if (run.state === 'planning') await this.#plan(run, check)
      else if (run.state === 'applying' || run.state === 'trying') await this.#apply(run, check)
      else await this.#rollBack(run, check)
    } catch (error) {
      if (error instanceof StoppedError) return
      // The run continues when the database is back.
      if (await isOutage(db, error)) throw error
      const isKnown = error instanceof AppError
      if (!isKnown) log.error({ err: error, run: run.id }, 'a run failed')
      await setRunState(db, globals, run, 'failed', isKnown ? error.message : UNEXPECTED)
    } finally {
      await renewal.stop()
      // Another process may continue at once.
      await releaseLease(db, lease).catch(() => {})
    }
  }

  async #plan(run: Run, check: () => void): Promise<void> {
    const { db, globals, analyzer } = this.#options
    const sites = await this.#readSites(run)
    const context = createPlanContext(run.user_id ?? 0, { refuses: run.refuses, analyzer })
    const waiting = await listRunSites(db, globals, run.id, { states: ['waiting'] })
    await this.#forEach(run, waiting, check, async ({ blog_id }) => {
      const one = sites.get(blog_id)
      if (!one) return NOT_SELECTED
      const wanted = await readDesired(db, one.site, one.desired)
      const plan = await planSite(db, one.site, wanted, context)
      return plan.problems.length > 0
        ? { ...plan, state: 'blocked', message: messageOfProblems(plan.problems) }
        : { ...plan, state: 'planned', message: messageOfProblems(plan.warnings) || null }
    })
    check()
    await setRunState(db, globals, run, 'planned')
  }

  async #apply(run: Run, check: () => void): Promise<void> {
    const { db, globals, analyzer, maxSiteBytes, wake } = this.#options
    const sites = await this.#readSites(run)
    const context = createPlanContext(run.user_id ?? 0, { refuses: run.refuses, analyzer })
    const own = this.#databaseOf(run)
    const describeFailure = (error: unknown) => this.#describeFailure(run, error)
    const before = await listRunSites(db, globals, run.id, { states: UNAPPLIED_STATES })
    let failures = before.length
    const rows = await listRunSites(db, globals, run.id, { states: ['planned'] })
    const isCanary = run.state === 'trying'
    const tried = isCanary ? canaryOf(rows, run.canary ?? 1) : rows
    const apply = async (planned: RunSite): Promise<RunSiteResult | undefined> => {
      if (isCanary && failures > before.length) return undefined
      if (run.max_failures !== null && failures > run.max_failures) return SKIPPED
      const one = sites.get(planned.blog_id)
      if (!one) return NOT_SELECTED
      const target = { ...one, run, planned }
      const { state, change } = await applyRunSite(own, target, context, {
        maxSiteBytes,
        describeFailure,
      })
      if (UNAPPLIED_STATES.includes(state)) failures += 1
      if (change && run.bake) wake(planned.blog_id)
      return undefined
    }
    // A canary ends with its first failure.
    const atOnce = isCanary ? 1 : SITES_AT_ONCE
    await this.#forEach(run, tried, check, apply, { atOnce })
    check()
    const left = await listRunSites(db, globals, run.id, { states: ['planned'], limit: 1 })
    await setRunState(db, globals, run, left.length > 0 ? 'planned' : 'done')
  }

  async #rollBack(run: Run, check: () => void): Promise<void> {
    const { db, globals, wake } = this.#options
    const sites = new Map(
      (await listManageableSites(db, globals)).map((site) => [site.blogId, site]),
    )
    const context = createPlanContext(run.user_id ?? 0)
    // The rollback has a request id of its own, so that it can be rolled back too.
    const own = this.#databaseOf(run, randomUUID())
    const written = await beginRollback(db, globals, run)
    const work = async (row: RunSite) => {
      const site = sites.get(row.blog_id)
      if (!site) return { message: 'The site was deleted.' }
      await rollBackRunSite(own, site, { run, row }, context)
      wake(row.blog_id)
      return undefined
    }
    // A site that cannot be rolled back now keeps its state, so that it can be later.
    await this.#forEach(run, written, check, work, { failed: {} })
    check()
    await setRunState(db, globals, run, 'done')
  }

  /** Works on these sites, and stores the results. */
  async #forEach(
    run: Run,
    rows: readonly RunSite[],
    check: () => void,
    work: (row: RunSite) => Promise<RunSiteResult | undefined>,
    {
      failed = { state: 'failed' },
      atOnce = SITES_AT_ONCE,
    }: { readonly failed?: RunSiteResult; readonly atOnce?: number } = {},
  ): Promise<void> {
    const { db, globals } = this.#options
    await forEachBounded(rows, atOnce, async (row) => {
      check()
      const result = await work(row).catch(async (error): Promise<RunSiteResult> => {
        if (await isOutage(db, error)) throw error
        return { ...failed, message: this.#describeFailure(run, error) }
      })
      if (!result) return
      await db.write({ isStatement: true }, (tx) =>
        setRunSites(tx, globals, run.id, [row.blog_id], result, [row.state]),
      )
    })
  }

  /** What the description of the run wants of each site, by blog id. */
  async #readSites({ id }: Run) {
    const { db, globals } = this.#options
    const description = await readRunDescription(db, globals, id)
    if (!description) throw new AppError('bad_description', 'The run has no description.')
    const { sites } = await findRunTargets(db, globals, description)
    return new Map(sites.map((one) => [one.site.blogId, one]))
  }

  #databaseOf({ id, user_id, token_id, label }: Run, requestId = id): Database {
    const author = { userId: user_id, tokenId: token_id, label: label ?? '', requestId }
    return writeAs(this.#options.db, author)
  }

  #describeFailure(run: Run, error: unknown): string {
    if (error instanceof AppError) return error.message
    this.#options.log.error({ err: error, run: run.id }, 'a site of a run failed')
    return UNEXPECTED
  }
}

/** The first sites, up to so many that lack something: the others show nothing. */
function canaryOf(rows: readonly RunSite[], canary: number): readonly RunSite[] {
  const last = rows.filter(({ step_count }) => step_count > 0)[canary - 1]
  return last ? rows.slice(0, rows.indexOf(last) + 1) : rows
}

const UNEXPECTED = 'An unexpected error; see the log of the service.'
const SKIPPED: RunSiteResult = { state: 'skipped', message: 'Too many other sites failed.' }
const NOT_SELECTED: RunSiteResult = {
  state: 'skipped',
  message: 'The site was deleted, or the description does not select it any more.',
}
