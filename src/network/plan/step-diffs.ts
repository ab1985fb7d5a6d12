import type { Db } from '../../db/database.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { readDesired } from './apply-site.ts'
import { createPlanContext } from './plan-context.ts'
import { planSite } from './plan-site.ts'
import { findRunTargets } from './run-targets.ts'
import { readRunDescription } from './runs-table.ts'
import { findMoved, type Step, stepKey } from './site-plan.ts'

type StepDiffOptions = {
  readonly sitesAtOnce: number
  /** Receives why a site cannot be compared, or the whole run; its steps get no diffs. */
  readonly onFailure: (error: unknown) => Promise<void>
}

/**
 * Adds diffs to the steps of a run, by blog id: the sites are compared now. A step that the site would not get any more has no diff, as after it was applied.
 * @param planned the stored steps
 */
export async function addStepDiffs(
  db: Db,
  globals: GlobalTables,
  runId: string,
  planned: ReadonlyMap<number, readonly Step[]>,
  { sitesAtOnce, onFailure }: StepDiffOptions,
): Promise<ReadonlyMap<number, readonly Step[]>> {
  const description = await readRunDescription(db, globals, runId)
  const lacking = new Map([...planned].filter(([, { length }]) => length > 0))
  if (!description || lacking.size === 0) return planned
  const targets = await findRunTargets(db, globals, description).catch(onFailure)
  const context = createPlanContext(0, { withDiffs: true })
  const shown = new Map(planned)
  const wanted = targets?.sites.filter(({ site }) => lacking.has(site.blogId)) ?? []
  await forEachBounded(wanted, sitesAtOnce, async ({ site, desired }) => {
    const steps = lacking.get(site.blogId) ?? []
    try {
      const found = await planSite(db, site, await readDesired(db, site, desired), context)
      shown.set(site.blogId, withDiffs(steps, found.steps))
    } catch (error) {
      await onFailure(error)
    }
  })
  return shown
}

function withDiffs(planned: readonly Step[], found: readonly Step[]): readonly Step[] {
  const moved = new Set(findMoved(planned, found).map(({ expected }) => expected))
  const byThing = new Map(found.map((step) => [stepKey(step), step]))
  return planned.map((step) => {
    const same = byThing.get(stepKey(step))
    return moved.has(step) || same?.diff === undefined ? step : { ...step, diff: same.diff }
  })
}
