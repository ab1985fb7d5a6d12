import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Response } from 'express'
import type { CachePurgeSettings } from '../../host/config/cache-purge.ts'
import type { SiteHosts } from '../../wordpress/hosts/site-hosts.ts'
import { HIDDEN_FROM_SEARCH } from '../../wordpress/options/search-engines.ts'
import { cacheTagHeaders, type TaggedPage } from '../publishing/cache-tags.ts'
import { isPurged } from '../publishing/purgers/purge-addresses.ts'

/** Caches must revalidate before reuse: browsers get no notice of changes, and a redirect that is cached for good could become a loop. */
const REVALIDATE = 'public, max-age=0, must-revalidate'

/** How long a purged page cache may keep a page, in seconds. Limits the effect of changes that cause no purge. */
const PURGED_CACHE_SECONDS = 3600

/** The settings of page caches. */
export type PageCacheSettings = Partial<CachePurgeSettings> & {
  /** Base URLs of page caches that are purged by URL [none]. */
  readonly pageCachePurge?: readonly string[]
}

/**
 * The headers of a page for page caches. Those that accept PURGE (setting PAGE_CACHE_PURGE) may cache the responses that a purge of the page
 * reaches; all other responses (other spellings of the URL, `?utm_source=`) are revalidated by shared caches too. A purge by tag (CACHE_PURGE)
 * reaches all responses with tags.
 * @param own the page's own URL; undefined if unknown
 * @param page undefined if unknown
 */
export function pageCacheHeaders(
  { headers, url = '' }: IncomingMessage,
  own: string | undefined,
  page: TaggedPage | undefined,
  { pageCachePurge = [], cachePurge = [], cacheTags }: PageCacheSettings,
): Record<string, string> {
  const tags = cacheTagHeaders(cacheTags, page)
  // A response may pass page caches of both kinds.
  const isReachedByTag = cachePurge.length === 0 || page !== undefined
  const isReachedByUrl =
    pageCachePurge.length === 0 || (own !== undefined && isPurged(own, headers.host, url))
  const hasCaches = cachePurge.length + pageCachePurge.length > 0
  const control =
    hasCaches && isReachedByTag && isReachedByUrl
      ? `public, max-age=0, s-maxage=${PURGED_CACHE_SECONDS}, must-revalidate`
      : REVALIDATE
  return { 'Cache-Control': control, ...tags }
}

/** The header that asks search engines not to index a page of a site that is hidden from them. */
export function robotsHeader(
  hosts: Pick<SiteHosts, 'isHiddenFromSearch'>,
  blogId: number | undefined,
): Record<string, string> {
  const isHidden = blogId !== undefined && hosts.isHiddenFromSearch(blogId)
  return isHidden ? { 'X-Robots-Tag': HIDDEN_FROM_SEARCH } : {}
}

/**
 * Redirects to a page's own URL and keeps the other query parameters (`utm_source=`). The URL comes from the site's settings, never from the
 * request, so an open redirect is impossible.
 * @param url the page's own URL
 * @param query of the request, without its `?`
 * @param dropped routing parameters, which are not copied
 * @param status 302 if the address may lead elsewhere later
 */
export function redirect(
  response: ServerResponse,
  url: string,
  query: string,
  dropped: readonly string[],
  status: 301 | 302 = 301,
): void {
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !dropped.includes(nameOf(part)))
    .join('&')
  const mark = url.includes('?') ? '&' : '?'
  const location = new URL(kept === '' ? url : `${url}${mark}${kept}`).href
  response.writeHead(status, {
    Location: location,
    'Cache-Control': REVALIDATE,
    'Content-Length': 0,
  })
  response.end()
}

/** The decoded name of a parameter. */
const nameOf = (parameter: string): string => [...new URLSearchParams(parameter).keys()][0] ?? ''

const PAGES = {
  400: ['Bad request', 'This is not the address of a page.'],
  404: ['Not found', 'There is no page at this address.'],
  405: ['Method not allowed', 'Pages can only be read.'],
  410: ['Gone', 'This site is no longer available.'],
  414: ['Address too long', 'This is not the address of a page.'],
  500: ['Something went wrong', 'The page could not be rendered. Please try again later.'],
  503: [
    'Not available right now',
    'The page cannot be shown at the moment. Please try again in a few seconds.',
  ],
} as const

/** Sends a small error page. It contains nothing of the request. */
export function sendErrorPage(response: Response, status: keyof typeof PAGES): void {
  const [title, text] = PAGES[status]
  sendMessagePage(response, status, { title, html: `<p>${text}</p>` })
}

/** @param html below the title */
export function sendMessagePage(
  response: Response,
  status: number,
  { title, html }: { readonly title: string; readonly html: string },
): void {
  response
    .status(status)
    .set('Cache-Control', status >= 500 ? 'no-store' : REVALIDATE)
    .type('html')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:1.1em/1.5 system-ui,sans-serif;margin:15vh auto;max-width:32em;padding:0 1em}</style>
</head>
<body>
<h1>${title}</h1>
${html}
</body>
</html>
`)
}
