/** Whoever keeps an answer asks before using it again: nothing tells browsers of a change, and a redirect kept for good could become a loop. */
export const REVALIDATE = 'public, max-age=0, must-revalidate'

/** How long a page cache may keep a page, in seconds, where it is told of changes; for those of which nobody tells it. */
const PURGED_CACHE_SECONDS = 3600

/**
 * `Cache-Control` of a page. Page caches that take PURGE (setting PAGE_CACHE_PURGE) may keep it; without them, shared caches ask like
 * browsers.
 */
export function pageCacheControl(pageCachePurge: readonly string[] = []): string {
  return pageCachePurge.length > 0
    ? `public, max-age=0, s-maxage=${PURGED_CACHE_SECONDS}, must-revalidate`
    : REVALIDATE
}
