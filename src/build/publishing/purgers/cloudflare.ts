import type { CloudflarePlan, CloudflareSetting } from '../../../host/config/cache-purge.ts'
import type { Timings } from '../../../host/timings.ts'
import { sendPurge } from './send-tag-purge.ts'
import { PurgeError, type PurgeLimits, type TagPurger } from './tag-purger.ts'

/** The documented requests of each plan; those of all zones of an account are counted together. */
const PLANS = {
  free: { burst: 25, perSecond: 5 / 60 },
  pro: { burst: 25, perSecond: 5 },
  business: { burst: 50, perSecond: 10 },
  enterprise: { burst: 500, perSecond: 50 },
} satisfies Record<CloudflarePlan, Pick<PurgeLimits, 'burst' | 'perSecond'>>

/** Cloudflare, by `Cache-Tag`. It has no soft purge. */
export function cloudflare(
  { id, plan, token, endpoint = 'https://api.cloudflare.com/client/v4' }: CloudflareSetting,
  timings: Timings['publishing'],
): TagPurger {
  return {
    name: 'Cloudflare',
    limits: { tagsPerRequest: 100, pagesPerSite: 30, ...PLANS[plan] },
    purge: async (tags) => {
      const text = await sendPurge(
        {
          cache: 'Cloudflare',
          url: `${endpoint}/zones/${id}/purge_cache`,
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ tags }),
          hint: HINT,
        },
        timings,
      )
      if (!isSuccess(text)) throw new PurgeError(`Cloudflare did not purge. ${HINT}`)
    },
  }
}

const HINT =
  'Check the zone in CACHE_PURGE, and that CLOUDFLARE_API_TOKEN has the permission Cache Purge for it.'

function isSuccess(text: string): boolean {
  try {
    return JSON.parse(text).success === true
  } catch {
    return false
  }
}
