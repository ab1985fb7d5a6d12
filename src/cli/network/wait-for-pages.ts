import { setTimeout as sleep } from 'node:timers/promises'
import { describeWork } from '../../content/work/describe-work.ts'
import type { RunSession } from './run-client.ts'

type WorkSum = { readonly pages: number; readonly frames: number }

const NOTHING_BUILDS =
  'Nothing builds its pages: check that a process of the service with the executor runs ("wp-frames serve" or "wp-frames serve executor").'

/**
 * Waits until the pages of these sites are built, or only work is left that fails, or that nobody does.
 * @returns what could not be built, by site; the writes remain
 */
export async function waitForPages(
  { service, signal }: RunSession,
  siteIds: ReadonlySet<number>,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const failed = new Map<number, string[]>()
  if (siteIds.size === 0) return failed
  let last = { left: -1, at: 0 }
  for (;;) {
    const { total, sites, sites_total, failures } = await service.client.getNetworkWork()
    const busy = sites.filter(
      ({ site_id, pending, failing }) => siteIds.has(site_id) && sumOf(pending) > sumOf(failing),
    )
    const isBusy = busy.length > 0
    const left = sumOf(total.pending)
    if (left !== last.left || sumOf(total.running) > 0) last = { left, at: performance.now() }
    if (isBusy && performance.now() - last.at > service.timings.cli.idleWorkMs)
      return new Map(busy.map(({ site_id }) => [site_id, [NOTHING_BUILDS]]))
    if (signal.aborted || (!isBusy && sites_total <= sites.length)) {
      for (const { site_id, ...failure } of failures) {
        if (!siteIds.has(site_id)) continue
        const sentence = `${describeWork(failure)} could not be built: ${failure.error ?? 'no reason is stored.'}`
        failed.set(site_id, [...(failed.get(site_id) ?? []), sentence])
      }
      return failed
    }
    await sleep(service.timings.cli.workPollMs, undefined, { signal }).catch(() => {})
  }
}

/** Purges of page caches are no pages. */
const sumOf = ({ pages, frames }: WorkSum): number => pages + frames
