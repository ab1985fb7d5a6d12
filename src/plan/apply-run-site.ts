import type { Database } from '../db/database.ts'
import { isOutage } from '../db/is-outage.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { RecordedChange } from '../work/record-work.ts'
import { type AppliedSite, applySite, type DesiredSource, readDesired } from './apply-site.ts'
import { describeMoved, findLastWriters } from './moved-steps.ts'
import type { PlanContext } from './plan-context.ts'
import { planWrites } from './plan-site.ts'
import type { RunSiteState } from './run-states.ts'
import {
  lockRunSite,
  messageOfProblems,
  type Run,
  type RunSite,
  type RunSiteResult,
  readRunSteps,
  setRunSites,
} from './runs-table.ts'
import { findMoved, type PlanProblem, type Step } from './site-plan.ts'

/** A site of a run, with what it should have. */
export type RunTarget = {
  readonly run: Run
  readonly site: Site
  readonly desired: DesiredSource
  /** Its row. With a digest, any other plan is refused. */
  readonly planned: Pick<RunSite, 'digest' | 'state'>
  /** When it was planned, GMT with milliseconds [when the run was recorded]. */
  readonly plannedAt?: string | undefined
}

/** What became of a site. `change`: its effects are to be applied. */
export type RunSiteOutcome = {
  readonly state: RunSiteState
  readonly steps: readonly Step[]
  readonly message: string | null
  /** What may be a mistake in what was written [nothing]. */
  readonly warnings?: readonly PlanProblem[]
  readonly change?: RecordedChange
}

/** States of sites that a run may still apply; running it again tries failed ones again. */
const OPEN_STATES: readonly RunSiteState[] = ['planned', 'failed', 'blocked', 'refused']
/** The same for a description without a plan, which may find again what a site lacks. */
const REPEATABLE_STATES: readonly RunSiteState[] = [...OPEN_STATES, 'applied']

/** The states of a site that a run may still apply. A text that was replaced must not be replaced again: its replacement may contain it. */
export const openStates = ({ name }: Run, { digest }: Pick<RunSite, 'digest'>) =>
  name !== '' && digest === null ? REPEATABLE_STATES : OPEN_STATES

/** Another process has given the site a result meanwhile, or has removed it from the run. */
class AlreadyDecidedError extends Error {
  readonly state: RunSiteState

  constructor(state: RunSiteState | undefined) {
    super()
    this.state = state ?? 'skipped'
  }
}

/**
 * Applies a run to one of its sites, and records the result in the same transaction, so that it is applied once, even if a process is killed. A site
 * that lacks nothing is not locked.
 * @param db writes as the author of the run
 * @param describeFailure logs an unexpected error, and returns a message for the run
 */
export async function applyRunSite(
  db: Database,
  { run, site, desired, planned, plannedAt = run.created_at }: RunTarget,
  context: PlanContext,
  options: {
    readonly maxSiteBytes?: number | undefined
    readonly bake?: boolean | undefined
    readonly describeFailure: (error: unknown) => string
  },
): Promise<RunSiteOutcome> {
  const { globals, blogId } = site
  const expectedDigest = planned.digest ?? undefined
  const before = openStates(run, planned)
  const store = (result: RunSiteResult): Promise<void> =>
    db.write({ isStatement: true }, (tx) =>
      setRunSites(tx, globals, run.id, [blogId], result, before),
    )
  try {
    if (expectedDigest === undefined) {
      const wanted = await readDesired(db, site, desired)
      const { plan } = await planWrites(db, site, wanted, context)
      if (plan.steps.length + plan.problems.length === 0) {
        if (planned.state !== 'applied') await store({ state: 'applied' })
        return { state: 'applied', steps: [], message: null }
      }
    }
    const applied = await applySite(db, site, desired, context, {
      expectedDigest,
      maxSiteBytes: options.maxSiteBytes,
      bake: options.bake,
      onLocked: async (tx) => {
        const state = await lockRunSite(tx, globals, run.id, blogId)
        if (state === undefined || !before.includes(state)) throw new AlreadyDecidedError(state)
      },
      onApplied: (tx, steps) =>
        setRunSites(tx, globals, run.id, [blogId], { state: 'applied', steps }, before),
    })
    if (applied.outcome === 'applied') return { ...applied, state: 'applied', message: null }
    const message =
      applied.outcome === 'blocked'
        ? messageOfProblems(applied.problems)
        : await messageOfMoved(db, { id: run.id, plannedAt }, site, applied)
    const state = applied.outcome === 'blocked' ? 'blocked' : 'refused'
    await store({ state, message })
    return { state, steps: [], message }
  } catch (error) {
    if (error instanceof AlreadyDecidedError)
      return { state: error.state, steps: [], message: null }
    // The site is tried again when the database is back.
    if (await isOutage(db, error)) throw error
    const message = options.describeFailure(error)
    await store({ state: 'failed', message })
    return { state: 'failed', steps: [], message }
  }
}

/** What has changed on the site since it was planned, and who did it. */
async function messageOfMoved(
  db: Database,
  { id, plannedAt }: { readonly id: string; readonly plannedAt: string },
  site: Site,
  { steps }: AppliedSite,
): Promise<string> {
  const { globals, blogId } = site
  const expected = (await readRunSteps(db, globals, id, [blogId])).get(blogId) ?? []
  const moved = findMoved(expected, steps)
  const things = moved.flatMap(({ expected: step, found }) => step ?? found ?? [])
  const writers = await findLastWriters(db, site, things, { since: plannedAt, runId: id })
  return `The site has changed since it was planned:\n${describeMoved(moved, writers)}`
}
