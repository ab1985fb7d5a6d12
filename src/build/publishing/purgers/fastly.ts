import type { FastlySetting } from '../../../host/config/cache-purge.ts'
import type { Timings } from '../../../host/timings.ts'
import { sendPurge } from './send-tag-purge.ts'
import type { TagPurger } from './tag-purger.ts'

/** Fastly, by surrogate key: a soft purge, so that the next request revalidates the page. */
export function fastly(
  { id, token, endpoint = 'https://api.fastly.com' }: FastlySetting,
  timings: Timings['publishing'],
): TagPurger {
  return {
    name: 'Fastly',
    // 256 keys a request are documented. Its figure for requests is not: 1,000 an hour is that of the rest of the API.
    limits: { tagsPerRequest: 256, pagesPerSite: 30, burst: 100, perSecond: 1000 / 3600 },
    purge: async (tags) => {
      await sendPurge(
        {
          cache: 'Fastly',
          url: `${endpoint}/service/${id}/purge`,
          method: 'POST',
          headers: {
            'Fastly-Key': token,
            'Fastly-Soft-Purge': '1',
            'Content-Type': 'application/json',
            Accept: 'application/json',
          },
          body: JSON.stringify({ surrogate_keys: tags }),
          hint: 'Check the service in CACHE_PURGE, and that FASTLY_API_TOKEN has the scope purge_select for it.',
        },
        timings,
      )
    },
  }
}
