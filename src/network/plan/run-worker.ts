import { randomUUID } from 'node:crypto'
import type { MarkupAnalyzer } from '../../content/frames/frame-markup.ts'
import { type Database, writeAs } from '../../db/database.ts'
import { isOutage } from '../../db/is-outage.ts'
import type { Held } from '../../db/tasks/hold-task.ts'
import type { Task, TaskSource } from '../../db/tasks/task-runner.ts'
import { LostLeaseError } from '../../db/tasks/tasks-table.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import { AppError } from '../../host/errors.ts'
import type { Log } from '../../host/log.ts'
import { listManageableSites } from '../../wordpress/network/find-sites.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { readDesired } from './apply-site.ts'
import { createPlanContext } from './plan-context.ts'
import { planSite } from './plan-site.ts'
import { applyRunSite, beginRollback, rollBackRunSite } from './run-site.ts'
import { type RunState, UNAPPLIED_STATES, WORKED_STATES } from './run-states.ts'
import { findRunTargets } from './run-targets.ts'
import {
  findDueRun,
  findRun,
  listRunSites,
  messageOfProblems,
  nameOfRunTask,
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

/** A run that this process continues. */
type WorkedRun = {
  readonly run: Run
  readonly held: Held
  /** @throws StoppedError */
  readonly check: () => void
}

/**
 * Plans, applies and rolls back the runs of the API, site by site: each is a task. If the process is killed, another one
 * continues: the state of each site is stored in the transaction of its writes.
 */
export class RunWorker implements TaskSource {
  readonly #options: RunWorkerOptions

  constructor(options: RunWorkerOptions) {
    this.#options = options
  }

  /** One at a time. */
  async find(running: ReadonlySet<string>): Promise<readonly Task[]> {
    const { db, globals } = this.#options
    if (running.size > 0) return []
    const run = await findDueRun(db, globals)
    if (!run) return []
    return [
      {
        name: nameOfRunTask(run.id),
        leaseMs: db.timings.plan.leaseMs,
        failure: 'a run was not continued; it is tried again',
        run: (held, signal) => this.#continue(run.id, held, signal),
      },
    ]
  }

  /** Ends after the sites in progress. */
  async #continue(id: string, held: Held, signal: AbortSignal): Promise<undefined> {
    const { db, globals, log } = this.#options
    const run = await findRun(db, globals, id)
    if (!run || !WORKED_STATES.includes(run.state)) return
    const check = (): void => {
      if (signal.aborted) throw new StoppedError()
    }
    const worked = { run, held, check }
    try {
      if (run.state === 'planning') await this.#plan(worked)
      else if (run.state === 'applying' || run.state === 'trying') await this.#apply(worked)
      else await this.#rollBack(worked)
    } catch (error) {
      if (error instanceof StoppedError || error instanceof LostLeaseError) return
      // The run continues when the database is back.
      if (await isOutage(db, error)) throw error
      const isKnown = error instanceof AppError
      if (!isKnown) log.error({ err: error, run: run.id }, 'a run failed')
      await this.#end(worked, 'failed', isKnown ? error.message : UNEXPECTED)
    }
  }

  #end({ run, held }: WorkedRun, state: RunState, message?: string): Promise<void> {
    return held.commit((tx) => setRunState(tx, this.#options.globals, run, state, message))
  }

  async #plan(worked: WorkedRun): Promise<void> {
    const { run, check } = worked
    const { db, globals, analyzer } = this.#options
    const sites = await this.#readSites(run)
    const context = createPlanContext(run.user_id ?? 0, { refuses: run.refuses, analyzer })
    const waiting = await listRunSites(db, globals, run.id, { states: ['waiting'] })
    await this.#forEach(worked, waiting, async ({ blog_id }) => {
      const one = sites.get(blog_id)
      if (!one) return NOT_SELECTED
      const wanted = await readDesired(db, one.site, one.desired)
      const plan = await planSite(db, one.site, wanted, context)
      return plan.problems.length > 0
        ? { ...plan, state: 'blocked', message: messageOfProblems(plan.problems) }
        : { ...plan, state: 'planned', message: messageOfProblems(plan.warnings) || null }
    })
    check()
    await this.#end(worked, 'planned')
  }

  async #apply(worked: WorkedRun): Promise<void> {
    const { run, check } = worked
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
    await this.#forEach(worked, tried, apply, { atOnce })
    check()
    const left = await listRunSites(db, globals, run.id, { states: ['planned'], limit: 1 })
    await this.#end(worked, left.length > 0 ? 'planned' : 'done')
  }

  async #rollBack(worked: WorkedRun): Promise<void> {
    const { run, check } = worked
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
    await this.#forEach(worked, written, work, { failed: {} })
    check()
    await this.#end(worked, 'done')
  }

  /** Works on these sites, and stores the results. */
  async #forEach(
    { run, held, check }: WorkedRun,
    rows: readonly RunSite[],
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
      await held.commit((tx) =>
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
