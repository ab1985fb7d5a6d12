import type { Timings } from '../../../host/timings.ts'
import { sendPurge } from './send-tag-purge.ts'
import type { TagPurger } from './tag-purger.ts'

/**
 * Varnish with the module xkey. The tags travel in a header of a `PURGE` request (docs/scale-and-caches.md#varnish has the VCL). Purged pages are kept for
 * revalidation: the next request gets `304` from the front if the page has not changed.
 * @param base base URL of the server
 */
export function varnishXkey(base: string, timings: Timings['publishing']): TagPurger {
  const { host } = new URL(base)
  return {
    name: `Varnish at ${host}`,
    // A header may have 8 kB; the other figures only keep a burst away from visitors.
    limits: { tagsPerRequest: 100, pagesPerSite: 30, burst: 100, perSecond: 50 },
    purge: async (tags) => {
      await sendPurge(
        {
          cache: `Varnish at ${host}`,
          url: `${base}/`,
          method: 'PURGE',
          headers: { 'xkey-softpurge': tags.join(' ') },
          hint: 'Check that its VCL handles xkey-softpurge and accepts PURGE from this address.',
        },
        timings,
      )
    },
  }
}
