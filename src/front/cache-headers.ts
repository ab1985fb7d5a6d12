import type { IncomingMessage } from 'node:http'
import { isPurged } from '../publishing/purge-addresses.ts'

/** Whoever keeps an answer asks before using it again: nothing tells browsers of a change, and a redirect kept for good could become a loop. */
export const REVALIDATE = 'public, max-age=0, must-revalidate'

/** How long a page cache may keep a page, in seconds, where it is told of changes; for those of which nobody tells it. */
const PURGED_CACHE_SECONDS = 3600

/**
 * `Cache-Control` of a page. Page caches that take PURGE (setting PAGE_CACHE_PURGE) may keep what a purge of the page reaches; without them,
 * and beside it (`?utm_source=`), shared caches ask like browsers.
 * @param own the page's own address; undefined where nobody knows it
 */
export function pageCacheControl(
  { headers, url = '' }: IncomingMessage,
  own: string | undefined,
  pageCachePurge: readonly string[] = [],
): string {
  const isTold = pageCachePurge.length > 0 && own !== undefined && isPurged(own, headers.host, url)
  return isTold
    ? `public, max-age=0, s-maxage=${PURGED_CACHE_SECONDS}, must-revalidate`
    : REVALIDATE
}
