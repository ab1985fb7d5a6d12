import type { Timings } from '../../../host/timings.ts'
import { sendPurge } from './send-tag-purge.ts'
import type { TagPurger } from './tag-purger.ts'

/**
 * Varnish without a module: one ban for the tags of a request (docs/scale-and-caches.md#varnish has the VCL). Varnish compares cached pages with all bans
 * that are younger, so there are fewer requests than with xkey.
 * @param base base URL of the server
 */
export function varnishBan(base: string, timings: Timings['publishing']): TagPurger {
  const { host } = new URL(base)
  return {
    name: `Varnish at ${host}`,
    limits: { tagsPerRequest: 50, pagesPerSite: 15, burst: 20, perSecond: 2 },
    purge: async (tags) => {
      await sendPurge(
        {
          cache: `Varnish at ${host}`,
          url: `${base}/`,
          method: 'BAN',
          // Part of a regular expression: tags have no character with a meaning there.
          headers: { 'ban-tags': tags.join('|') },
          hint: 'Check that its VCL handles ban-tags and accepts BAN from this address.',
        },
        timings,
      )
    },
  }
}
