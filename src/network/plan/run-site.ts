import { writeChange } from '../../changes/record-write.ts'
import { chooseTargets } from '../../content/restore/choose-targets.ts'
import { type Restored, runRestore } from '../../content/restore/run-restore.ts'
import type { RecordedChange } from '../../content/work/record-work.ts'
import type { Database } from '../../db/database.ts'
import { isOutage } from '../../db/is-outage.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import { type AppliedSite, applySite, type DesiredSource, readDesired } from './apply-site.ts'
import { describeMoved, findLastWriters } from './moved-steps.ts'
import type { PlanContext } from './plan-context.ts'
import { planWrites } from './plan-site.ts'
import type { RunSiteState } from './run-states.ts'
import {
  listRunSites,
  lockRunSite,
  messageOfProblems,
  type Run,
  type RunSite,
  type RunSiteResult,
  readRunPlans,
  setRunSites,
} from './runs-table.ts'
import { findMoved } from './site-plan.ts'

/** A site of a run, with what it should have. */
export type RunTarget = {
  readonly run: Run
  readonly site: Site
  readonly desired: DesiredSource
  /** Its row. Any other plan than that of the digest is refused. */
  readonly planned: Pick<RunSite, 'digest' | 'step_count'>
}

/** What became of a site. `change`: its effects are to be applied. */
type RunSiteOutcome = { readonly state: RunSiteState; readonly change?: RecordedChange }

/** The states of a site that a run may write to. */
const OPEN_STATES: readonly RunSiteState[] = ['planned']

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
  { run, site, desired, planned }: RunTarget,
  context: PlanContext,
  options: {
    readonly maxSiteBytes?: number | undefined
    readonly describeFailure: (error: unknown) => string
  },
): Promise<RunSiteOutcome> {
  const { globals, blogId } = site
  const expectedDigest = planned.digest ?? undefined
  const end = async (result: RunSiteResult & RunSiteOutcome): Promise<RunSiteOutcome> => {
    await db.write({ isStatement: true }, (tx) =>
      setRunSites(tx, globals, run.id, [blogId], result, OPEN_STATES),
    )
    return { state: result.state }
  }
  try {
    if (planned.step_count === 0) {
      const wanted = await readDesired(db, site, desired)
      const { plan } = await planWrites(db, site, wanted, context)
      if (plan.steps.length + plan.problems.length === 0) return await end({ state: 'applied' })
    }
    const applied = await applySite(db, site, desired, context, {
      expectedDigest,
      maxSiteBytes: options.maxSiteBytes,
      bake: run.bake !== 0,
      onLocked: async (tx) => {
        const state = await lockRunSite(tx, globals, run.id, blogId)
        if (state === undefined || !OPEN_STATES.includes(state))
          throw new AlreadyDecidedError(state)
      },
      onApplied: (tx, steps) =>
        setRunSites(tx, globals, run.id, [blogId], { state: 'applied', steps }, OPEN_STATES),
    })
    const { outcome, problems, warnings, change } = applied
    if (outcome === 'applied') return { state: 'applied', change }
    if (outcome === 'blocked') {
      const message = messageOfProblems(problems)
      return await end({ state: 'blocked', message, problems, warnings })
    }
    const message = await messageOfMoved(db, run, site, applied)
    return await end({ state: 'refused', message })
  } catch (error) {
    if (error instanceof AlreadyDecidedError) return { state: error.state }
    // The site is tried again when the database is back.
    if (await isOutage(db, error)) throw error
    return end({ state: 'failed', message: options.describeFailure(error) })
  }
}

/** What has changed on the site since it was planned, and who did it. */
async function messageOfMoved(
  db: Database,
  { id, created_at: plannedAt }: Run,
  site: Site,
  { steps }: AppliedSite,
): Promise<string> {
  const { globals, blogId } = site
  const expected = (await readRunPlans(db, globals, id, [blogId])).get(blogId)
  const moved = findMoved(expected?.steps ?? [], steps)
  const things = moved.flatMap(({ expected: step, found }) => step ?? found ?? [])
  const writers = await findLastWriters(db, site, things, { since: plannedAt, runId: id })
  return `The site has changed since it was planned:\n${describeMoved(moved, writers)}`
}

/**
 * The sites from which a run can be rolled back: it has written to them. Sites that lacked nothing have nothing to restore; they become
 * `rolled_back` here, so that they are not compared with the description of the run any more.
 */
export async function beginRollback(
  db: Database,
  globals: GlobalTables,
  { id }: Run,
): Promise<readonly RunSite[]> {
  const rows = await listRunSites(db, globals, id, { isApplied: true })
  const idle = rows.filter(({ step_count }) => step_count === 0)
  if (idle.length > 0) {
    const ids = idle.map(({ blog_id }) => blog_id)
    const states = [...new Set(idle.map(({ state }) => state))]
    await db.write({ isStatement: true }, (tx) =>
      setRunSites(tx, globals, id, ids, { state: 'rolled_back' }, states),
    )
  }
  return rows.filter(({ step_count }) => step_count > 0)
}

/**
 * Restores what a run has written to a site to the state before, and records the result in the same transaction. What cannot be restored becomes
 * the message of the site.
 * @param db writes as the author of the rollback
 * @param context its user is the author of the restored frames and items
 */
export async function rollBackRunSite(
  db: Database,
  site: Site,
  { run, row }: { readonly run: Run; readonly row: RunSite },
  { userId, unfilteredHtml, now, markup }: PlanContext,
): Promise<Restored & { readonly change: RecordedChange }> {
  const writer = { userId, unfilteredHtml, maxSiteBytes: undefined, analyzer: markup, now }
  const chosen = await chooseTargets(db, site, { requestId: run.id })
  return writeChange(db, { site }, async (tx) => {
    // Nobody is shown its differences.
    const request = { bake: true, isWhole: false, isCompared: false }
    const restored = await runRestore(tx, site, chosen, request, writer)
    const { obstacles } = restored
    const message = obstacles.length > 0 ? messageOfProblems(obstacles) : null
    const result = { state: 'rolled_back', message } as const
    await setRunSites(tx, site.globals, run.id, [site.blogId], result, [row.state])
    return restored
  })
}
