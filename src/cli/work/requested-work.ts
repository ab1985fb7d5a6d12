import { getWorkEndpoint } from '../../api/work/get-work.endpoint.ts'
import {
  type FailingWork,
  hasWork,
  type ListedSiteWork,
  readNetworkWork,
  type WorkStatus,
} from '../../work/work-status.ts'
import { getDatabase, type Service } from '../call-endpoint.ts'
import type { AddressedSite } from '../sites/site-options.ts'

/** The work of the sites that a command was asked for. */
export type RequestedWork = {
  readonly total: Omit<WorkStatus, 'due_for_s'>
  /** Number of sites with work. */
  readonly siteCount: number
  /** With `--site` that site, also without work; otherwise the sites with work that have waited longest. */
  readonly sites: readonly Omit<ListedSiteWork, 'due_for_s'>[]
  readonly failures: readonly (FailingWork & { readonly blogId: number })[]
  /** With `--site`: what the API answers. It has no endpoint for the work of the whole network. */
  readonly answer?: object
}

/** @param site undefined for the whole network */
export async function readRequestedWork(
  service: Service,
  site: AddressedSite | undefined,
): Promise<RequestedWork> {
  if (!site) {
    const { db, globals } = getDatabase(service)
    return readNetworkWork(db, globals)
  }
  const answer = await service.callSite(site, getWorkEndpoint)
  const { blogId, domain, path } = site
  return {
    total: answer,
    siteCount: hasWork(answer.pending) ? 1 : 0,
    sites: [{ blogId, domain, path, ...answer }],
    failures: answer.failures.map((failure) => ({ blogId, ...failure })),
    answer,
  }
}
