import type { CloudflarePlan, PurgerSetting } from '../../../host/config/cache-purge.ts'
import type { Timings } from '../../../host/timings.ts'
import { cloudFront } from './cloudfront.ts'
import { sendPurge } from './send-tag-purge.ts'
import { PurgeError, type PurgeLimits, type TaggedCache, type TagPurger } from './tag-purger.ts'

/** The purger of a setting. */
export function createPurger(setting: PurgerSetting, timings: Timings['publishing']): TagPurger {
  const { name, limits, hint, request, isPurged } = cacheOf(setting)
  return {
    name,
    limits,
    purge: async (tags) => {
      const text = await sendPurge({ cache: name, hint, ...request(tags) }, timings)
      if (isPurged && !isPurged(text)) throw new PurgeError(`${name} did not purge. ${hint}`)
    },
  }
}

/** The documented requests of each plan; those of all zones of an account are counted together. */
const CLOUDFLARE_PLANS = {
  free: { burst: 25, perSecond: 5 / 60 },
  pro: { burst: 25, perSecond: 5 },
  business: { burst: 50, perSecond: 10 },
  enterprise: { burst: 500, perSecond: 50 },
} satisfies Record<CloudflarePlan, Pick<PurgeLimits, 'burst' | 'perSecond'>>

/** The only code that knows which page caches there are. */
function cacheOf(setting: PurgerSetting): TaggedCache {
  switch (setting.kind) {
    // Varnish with the module xkey (docs/scale-and-caches.md#varnish has the VCL). Purged pages are kept for revalidation: the next request gets `304` from
    // the front if the page has not changed.
    case 'xkey':
      return {
        name: nameOfVarnish(setting.url),
        // A header may have 8 kB; the other figures only keep a burst away from visitors.
        limits: { tagsPerRequest: 100, pagesPerSite: 30, burst: 100, perSecond: 50 },
        hint: 'Check that its VCL handles xkey-softpurge and accepts PURGE from this address.',
        request: (tags) => ({
          url: `${setting.url}/`,
          method: 'PURGE',
          headers: { 'xkey-softpurge': tags.join(' ') },
        }),
      }
    // Varnish without a module: one ban for the tags of a request. Varnish compares cached pages with all bans that are younger, so there are fewer requests
    // than with xkey.
    case 'ban':
      return {
        name: nameOfVarnish(setting.url),
        limits: { tagsPerRequest: 50, pagesPerSite: 15, burst: 20, perSecond: 2 },
        hint: 'Check that its VCL handles ban-tags and accepts BAN from this address.',
        request: (tags) => ({
          url: `${setting.url}/`,
          method: 'BAN',
          // Part of a regular expression: tags have no character with a meaning there.
          headers: { 'ban-tags': tags.join('|') },
        }),
      }
    // By surrogate key: a soft purge, so that the next request revalidates the page.
    case 'fastly':
      return {
        name: 'Fastly',
        // 256 keys a request are documented. Its figure for requests is not: 1,000 an hour is that of the rest of the API.
        limits: { tagsPerRequest: 256, pagesPerSite: 30, burst: 100, perSecond: 1000 / 3600 },
        hint: 'Check the service in CACHE_PURGE, and that FASTLY_API_TOKEN has the scope purge_select for it.',
        request: (tags) => ({
          url: `${setting.endpoint ?? 'https://api.fastly.com'}/service/${setting.id}/purge`,
          method: 'POST',
          headers: {
            'Fastly-Key': setting.token,
            'Fastly-Soft-Purge': '1',
            'Content-Type': 'application/json',
            Accept: 'application/json',
          },
          body: JSON.stringify({ surrogate_keys: tags }),
        }),
      }
    // By `Cache-Tag`. It has no soft purge.
    case 'cloudflare':
      return {
        name: 'Cloudflare',
        limits: { tagsPerRequest: 100, pagesPerSite: 30, ...CLOUDFLARE_PLANS[setting.plan] },
        hint: 'Check the zone in CACHE_PURGE, and that CLOUDFLARE_API_TOKEN has the permission Cache Purge for it.',
        request: (tags) => ({
          url: `${setting.endpoint ?? 'https://api.cloudflare.com/client/v4'}/zones/${setting.id}/purge_cache`,
          method: 'POST',
          headers: { Authorization: `Bearer ${setting.token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ tags }),
        }),
        isPurged: isSuccess,
      }
    case 'cloudfront':
      return cloudFront(setting)
  }
}

const nameOfVarnish = (url: string): string => `Varnish at ${new URL(url).host}`

function isSuccess(text: string): boolean {
  try {
    return JSON.parse(text).success === true
  } catch {
    return false
  }
}
