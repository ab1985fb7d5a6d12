import type { ServerResponse } from 'node:http'
import { REVALIDATE } from './cache-headers.ts'

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
