import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { forEachBounded } from '../../../host/concurrency/for-each.ts'
import type { CacheEffect } from '../../../host/effects.ts'
import type { Log } from '../../../host/log.ts'
import { parseUrl } from '../../../host/parse-url.ts'
import { inSpan } from '../../../host/trace.ts'
import { trimEnd } from '../../../wordpress/formatting/plain-text.ts'

/** The outcome for each URL. */
export type PurgedAddresses = CacheEffect['flushed']['urls']

/** Concurrent requests to one cache. */
const REQUESTS_AT_ONCE = 8
/** Response statuses that mean "not in the cache": nginx's module and its forks use either. */
const NOT_CACHED = new Set([404, 412])

type PurgeOptions = {
  readonly log: Log
  /** Timeout of one request, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Purges these URLs from every page cache, and no URLs below them. Failures are reported, not thrown. No further request is sent to an
 * unreachable cache, so that it costs a write one timeout and not one per page.
 * @param bases base URLs of caches that accept `PURGE` (setting PAGE_CACHE_PURGE)
 * @param urls URLs of pages, spelled as in links to them
 */
export async function purgeAddresses(
  bases: readonly string[],
  urls: readonly string[],
  { log, timeoutMs }: PurgeOptions,
): Promise<PurgedAddresses> {
  if (bases.length === 0 || urls.length === 0) {
    return { status: 'skipped', by: 'none', urls: [], skipped: [...urls] }
  }
  const failed = new Set<string>()
  await inSpan('purge', {}, () =>
    forEachBounded(bases, bases.length, async (base) => {
      for (const url of await purgeAt(base, urls, { log, timeoutMs })) failed.add(url)
    }),
  )
  return {
    status: failed.size === 0 ? 'ok' : 'failed',
    by: 'PURGE',
    urls: urls.filter((url) => !failed.has(url)),
    skipped: urls.filter((url) => failed.has(url)),
  }
}

/**
 * True if a purge of `url` removes the cached response to this request. A purge does not reach responses that are cached under another
 * spelling (`?utm_source=`, `%61bout/`, another host of the same page).
 * @param host header `Host`
 * @param target path and query
 */
export function isPurged(url: string, host: string | undefined, target: string): boolean {
  return (
    parseUrl(url) !== undefined &&
    urlVariants(url)
      .map((spelling) => new URL(spelling))
      .some((address) => address.host === host && targetOf(address) === target)
  )
}

/** @returns the URLs that could not be purged from one cache */
async function purgeAt(
  base: string,
  urls: readonly string[],
  { log, timeoutMs }: PurgeOptions,
): Promise<string[]> {
  const failed: string[] = []
  const secure = base.startsWith('https:')
  const agent = new (secure ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxSockets: REQUESTS_AT_ONCE,
  })
  let reason: unknown
  let reachable = true
  await forEachBounded(urls, REQUESTS_AT_ONCE, async (url) => {
    try {
      if (!reachable) return void failed.push(url)
      for (const spelling of urlVariants(url)) {
        const status = await purge(base, new URL(spelling), agent, timeoutMs)
        if (status >= 300 && !NOT_CACHED.has(status)) throw new RefusedPurge(status)
      }
    } catch (error) {
      reason ??= error
      if (!(error instanceof RefusedPurge)) reachable = false
      failed.push(url)
    }
  })
  agent.destroy()
  if (failed.length > 0) {
    const { host } = new URL(base)
    log.warn({ err: reason, cache: host, addresses: failed.length }, 'page cache was not purged')
  }
  return failed
}

class RefusedPurge extends Error {
  override readonly name = 'RefusedPurge'
  constructor(status: number) {
    super(
      `The page cache responded with ${status} to PURGE. Configure it to accept PURGE from this address.`,
    )
  }
}

/**
 * The spellings of a URL in requests, each of which a cache stores separately: with and without a trailing slash, and percent-encoded in
 * lower case, as in WordPress's links, or in upper case, as browsers do.
 */
function urlVariants(url: string): string[] {
  const [path = '', query] = url.split('?', 2)
  const bare = trimEnd(path, '/')
  const ends = query === undefined ? [`${bare}/`, bare] : [url]
  const isHost = /^https?:\/\/[^/]+$/.test(bare)
  return [...new Set(isHost ? ends.slice(0, 1) : ends)].flatMap((end) => {
    const capitals = end.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
    const small = end.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toLowerCase())
    return [...new Set([small, capitals])]
  })
}

const targetOf = ({ pathname, search }: URL): string => `${pathname}${search}`

/** Sends one PURGE request. @returns the response status */
function purge(base: string, url: URL, agent: HttpAgent, timeoutMs: number): Promise<number> {
  const request = base.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      `${base}${targetOf(url)}`,
      {
        method: 'PURGE',
        agent,
        // Common Varnish configurations read this header; `default` means this URL only, not a whole folder.
        headers: { Host: url.host, 'X-Purge-Method': 'default' },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 500))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
