import type { Db } from '../../db/database.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import { type GlobalTables, type Site, siteAddress } from '../../wordpress/network/site.ts'
import type { DesiredSite } from '../description/desired-site.ts'
import { resolveDescription } from '../description/resolve-description.ts'
import { findLastWriters, type LastWriter } from './moved-steps.ts'
import { createPlanContext, type PlanContext } from './plan-context.ts'
import { planSite } from './plan-site.ts'
import { listLastApplied, readRunDescription } from './runs-table.ts'
import type { PlanProblem, Step } from './site-plan.ts'

/** A site that a run was applied to, with what the description of the run wants of it now. */
export type AppliedRunSite = {
  readonly runId: string
  /** Of the description. */
  readonly name: string
  /** GMT, with milliseconds. */
  readonly appliedAt: string
  readonly site: Site
  readonly desired: DesiredSite
}

/** A thing that differs from what the last run has written. `step` would restore it. */
export type Drift = {
  readonly step: Step
  /** Undefined if another program has written it, or nobody knows who. */
  readonly writer: LastWriter | undefined
}

type SiteDrift = {
  readonly drift: readonly Drift[]
  readonly problems: readonly PlanProblem[]
}

/**
 * Finds the last applied run of each description and site. Sites that the description does not select any more are left out.
 * @param name only of this description
 * @param onFailure receives the name of a description that cannot be resolved any more, and why; its sites are left out
 */
export async function findAppliedSites(
  db: Db,
  globals: GlobalTables,
  name: string | undefined,
  onFailure: (name: string, error: unknown) => Promise<void>,
): Promise<AppliedRunSite[]> {
  const rows = await listLastApplied(db, globals, name)
  const found: AppliedRunSite[] = []
  for (const runId of new Set(rows.map(({ run_id }) => run_id))) {
    const description = await readRunDescription(db, globals, runId)
    if (!description) continue
    const selected = await resolveDescription(db, globals, description)
      .then(({ sites }) => new Map(sites.map((one) => [one.site.blogId, one])))
      .catch((error) => onFailure(description.name, error))
    if (!selected) continue
    for (const { run_id, blog_id, applied_at } of rows) {
      const one = run_id === runId ? selected.get(blog_id) : undefined
      if (one) found.push({ runId, name: description.name, appliedAt: applied_at, ...one })
    }
  }
  return found
}

/** A site that was compared with what the last run has written. */
export type ComparedSite = AppliedRunSite & SiteDrift

/**
 * Compares sites with what the last run has written.
 * @param onFailure receives the name of a site that cannot be compared, and why; it is left out
 * @returns in the order of the ids of the sites
 */
export async function compareApplied(
  db: Db,
  applied: readonly AppliedRunSite[],
  sitesAtOnce: number,
  onFailure: (name: string, error: unknown) => Promise<void>,
): Promise<ComparedSite[]> {
  const context = createPlanContext(0, { withDiffs: true })
  const sorted = applied.toSorted((a, b) => a.site.blogId - b.site.blogId)
  const compared: (ComparedSite | undefined)[] = []
  await forEachBounded(sorted.entries(), sitesAtOnce, async ([index, one]) => {
    const drift = await findDrift(db, one, context).catch((error) =>
      onFailure(`${one.name} on ${siteAddress(one.site)} (site ${one.site.blogId})`, error),
    )
    if (drift) compared[index] = { ...one, ...drift }
  })
  return compared.filter((one) => one !== undefined)
}

/** Compares a site with what the last run has written, and finds who wrote what differs. */
async function findDrift(
  db: Db,
  { runId, appliedAt, site, desired }: AppliedRunSite,
  context: PlanContext,
): Promise<SiteDrift> {
  const { steps, problems } = await planSite(db, site, desired, context)
  const writers = await findLastWriters(db, site, steps, { since: appliedAt, runId })
  return { drift: steps.map((step, index) => ({ step, writer: writers[index] })), problems }
}
