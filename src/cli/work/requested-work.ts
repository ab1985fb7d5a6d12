import type { Client, Output } from '#client'
import { hasWork } from '../../content/work/describe-work.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import type { AddressedSite } from '../sites/site-options.ts'

/** The work of the sites that a command was asked for. With `--site` that site, also without work; otherwise the sites with work that have waited longest. */
export type RequestedWork = Omit<Output<'getNetworkWork'>, 'names' | 'success'> & {
  /** With `--site`: what the API answers. */
  readonly answer?: object
}

/** @param site undefined for the whole network */
export async function readRequestedWork(
  client: Client,
  site: AddressedSite | undefined,
): Promise<RequestedWork> {
  if (!site) return client.getNetworkWork()
  const answer = await client.getWork({ site_id: site.blogId })
  const { site_id } = answer
  return {
    total: answer,
    sites_total: hasWork(answer.pending) ? 1 : 0,
    sites: [{ address: siteAddress(site), ...answer }],
    failures: answer.failures.map((failure) => ({ site_id, ...failure })),
    answer,
  }
}
