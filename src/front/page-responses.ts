import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Response } from 'express'
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

/**
 * Sends the visitor to a page's own address, with what was asked beside the page (`utm_source=`). The address comes from the site's
 * settings, never from the request, so nobody can be sent elsewhere.
 * @param url the page's own address
 * @param query of the request, without its `?`
 * @param dropped parameters that led to the page and are in its own address, if anywhere
 */
export function redirect(
  response: ServerResponse,
  url: string,
  query: string,
  dropped: readonly string[],
): void {
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !dropped.includes(part.split('=', 1)[0] ?? ''))
    .join('&')
  const mark = url.includes('?') ? '&' : '?'
  const location = new URL(kept === '' ? url : `${url}${mark}${kept}`).href
  response.writeHead(301, {
    Location: location,
    'Cache-Control': REVALIDATE,
    'Content-Length': 0,
  })
  response.end()
}

const PAGES = {
  400: ['Bad request', 'This is not an address of a page.'],
  404: ['Not found', 'There is no page at this address.'],
  405: ['Method not allowed', 'Pages can only be read.'],
  410: ['Gone', 'This site is no longer available.'],
  500: ['Something went wrong', 'The page could not be made. Please try again later.'],
  503: [
    'Not available right now',
    'The page cannot be shown at the moment. Please try again in a few seconds.',
  ],
} as const

/** Sends a small page that says why there is none. It shows nothing of what was asked for. */
export function sendErrorPage(response: Response, status: keyof typeof PAGES): void {
  const [title, text] = PAGES[status]
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
<p>${text}</p>
</body>
</html>
`)
}
