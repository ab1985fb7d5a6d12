import type { Plan } from '#client'
import { findSite } from '../sites/find-sites.ts'
import type { SiteRef } from '../sites/site-options.ts'
import { warn } from '../terminal.ts'
import type { DescribeProblem } from './plan-groups.ts'
import { type RefusalOptions, refusalOf } from './problem-options.ts'
import { inNoBundle, readFolder } from './read-folder.ts'
import { makePlan, type RunSession } from './run-client.ts'

export type PlanFolderOptions = RefusalOptions & { readonly site?: SiteRef }

/**
 * Plans the description in a folder.
 * @throws CommandError with the file and line of each problem of the description
 */
export async function planFolder(
  session: RunSession,
  path: string,
  { site, ...problems }: PlanFolderOptions,
): Promise<{ readonly plan: Plan; readonly describe: DescribeProblem }> {
  const { description, source, unused } = await readFolder(path)
  warn(unused.map(inNoBundle))
  const only =
    site === undefined ? undefined : [(await findSite(session.service.client, site)).blogId]
  const body = { ...description, ...(only ? { only } : {}), refuses: refusalOf(problems) }
  const plan = await source.locating(() => makePlan(session, body))
  return { plan, describe: source.describe }
}
