import { forEachBounded } from '../../concurrency/for-each.ts'
import { isOutage } from '../../db/is-outage.ts'
import { type DesiredSource, readDesired } from '../../plan/apply-site.ts'
import type { PlanContext } from '../../plan/plan-context.ts'
import { planSite } from '../../plan/plan-site.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type CliServices, CommandError } from '../cli-context.ts'
import { describeError, describeKnownError } from '../describe-error.ts'
import { ProgressBar } from '../sites/progress-bar.ts'
import { getSite } from '../sites/requested-sites.ts'
import { sitesAtOnce } from '../sites/run-over-sites.ts'
import type { SiteRef } from '../sites/site-options.ts'
import { PlanGroups } from './plan-groups.ts'

/** A site with what it should have. */
export type DesiredOfSite = {
  readonly site: Site
  readonly desired: DesiredSource
  /** Runs when the site has it, before its pages are built [nothing]. */
  readonly onApplied?: (() => Promise<void>) | undefined
  /** Finds what prevents nothing, but may be a mistake [nothing]. */
  readonly findNotes?: (() => Promise<readonly string[]>) | undefined
}

/**
 * Plans several sites at the same time. A site that cannot be read is blocked by that.
 * @throws an error if the database is unavailable
 */
export async function planSites(
  services: CliServices,
  sites: readonly DesiredOfSite[],
  context: PlanContext,
): Promise<PlanGroups> {
  const groups = new PlanGroups()
  const { db, log } = services
  await forEachSite(services, sites, async ({ site, desired }) => {
    try {
      const wanted = await readDesired(db, site, desired)
      groups.add(site, await planSite(db, site, wanted, context))
    } catch (error) {
      if (await isOutage(db, error)) throw error
      if (describeKnownError(error) === undefined) log.error({ err: error, site: site.blogId })
      groups.addUnreadable(site, `The site cannot be read: ${describeError(error)}`)
    }
  })
  return groups
}

/**
 * Only the site that `--site` names.
 * @throws CommandError if the description does not select it
 */
export async function chooseSite<T extends DesiredOfSite>(
  services: CliServices,
  sites: readonly T[],
  ref: SiteRef | undefined,
): Promise<readonly T[]> {
  if (ref === undefined) return sites
  const { blogId } = await getSite(services, ref)
  const chosen = sites.filter(({ site }) => site.blogId === blogId)
  if (chosen.length > 0) return chosen
  throw new CommandError(
    `The description does not select site ${blogId}. Look at "sites" in network.yaml.`,
  )
}

/** Works on several sites at the same time, with a progress bar. */
async function forEachSite(
  services: CliServices,
  sites: readonly DesiredOfSite[],
  work: (site: DesiredOfSite) => Promise<void>,
): Promise<void> {
  const bar = new ProgressBar(sites.length)
  try {
    await forEachBounded(sites, sitesAtOnce(services), async (one) => {
      bar.begin(one.site)
      await work(one)
      bar.finish()
    })
  } finally {
    bar.stop()
  }
}
