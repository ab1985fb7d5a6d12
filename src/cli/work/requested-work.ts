import type { Site } from '../../wordpress/network/site.ts'
import {
  type FailingWork,
  hasWork,
  type ListedSiteWork,
  readNetworkWork,
  readSiteWork,
  type WorkStatus,
} from '../../work/work-status.ts'
import type { CliServices } from '../cli-context.ts'

/** The work of the sites that a command was asked for. */
export type RequestedWork = {
  readonly total: WorkStatus
  /** Number of sites with work. */
  readonly siteCount: number
  /** With `--site` that site, also without work; otherwise the sites with work that have waited longest. */
  readonly sites: readonly ListedSiteWork[]
  readonly failures: readonly (FailingWork & { readonly blogId: number })[]
}

/** @param site undefined for the whole network */
export async function readRequestedWork(
  { db, globals }: Pick<CliServices, 'db' | 'globals'>,
  site: Site | undefined,
): Promise<RequestedWork> {
  if (!site) return readNetworkWork(db, globals)
  const { failures, ...total } = await readSiteWork(db, site)
  const { blogId, domain, path } = site
  return {
    total,
    siteCount: hasWork(total.pending) ? 1 : 0,
    sites: [{ blogId, domain, path, ...total }],
    failures: failures.map((failure) => ({ blogId, ...failure })),
  }
}
