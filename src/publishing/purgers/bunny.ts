import type { BunnySetting } from '../../config/cache-purge.ts'
import type { Timings } from '../../timings.ts'
import { sendPurge } from './send-purge.ts'
import type { TagPurger } from './tag-purger.ts'

/**
 * bunny.net, by `CDN-Tag`. Its documentation does not say how a header with several tags is compared; clients report that only `*tag*` matches one
 * of several, so that is sent. It also reaches tags that begin alike, which are purged without need. There is no soft purge.
 */
export function bunny(
  { id, token, endpoint = 'https://api.bunny.net' }: BunnySetting,
  timings: Timings['publishing'],
): TagPurger {
  return {
    name: 'bunny.net',
    // The documented limits of purges with a wildcard, the stricter ones; tags are not named there.
    limits: { tagsPerRequest: 1, pagesPerSite: 4, burst: 20, perSecond: 0.5 },
    purge: async ([tag]) => {
      await sendPurge(
        {
          cache: 'bunny.net',
          url: `${endpoint}/pullzone/${id}/purgeCache`,
          method: 'POST',
          headers: { AccessKey: token, 'Content-Type': 'application/json' },
          body: JSON.stringify({ CacheTag: `*${tag}*` }),
          hint: 'Check the pull zone in CACHE_PURGE, and BUNNY_API_KEY.',
        },
        timings,
      )
    },
  }
}
