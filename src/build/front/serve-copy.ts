import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteHosts } from '../../wordpress/hosts/site-hosts.ts'
import type { Address } from '../../wordpress/permalinks/address.ts'
import { isRoutedByQuery } from '../../wordpress/permalinks/find-page-at.ts'
import type { Coding, ServedCopy, StaticCopyCache } from '../publishing/static-copy-cache.ts'
import {
  type PageCacheSettings,
  pageCacheHeaders,
  redirect,
  robotsHeader,
} from './page-responses.ts'

export type CopyServices = PageCacheSettings & {
  readonly copies: Pick<StaticCopyCache, 'find'>
  readonly hosts: Pick<SiteHosts, 'isHiddenFromSearch'>
  /** Content-Security-Policy of every copy. */
  readonly pageCsp?: string | undefined
}

/** The Content-Security-Policy header (setting PAGE_CSP); no header if it is not set. */
export function contentSecurityPolicy(policy: string | undefined): Record<string, string> {
  return policy === undefined ? {} : { 'Content-Security-Policy': policy }
}

/**
 * Handles a request.
 * @param address the requested address; undefined if it is invalid
 * @returns false if another handler must handle the request
 */
export type CopyListener = (
  request: IncomingMessage,
  response: ServerResponse,
  address: Address | undefined,
) => Promise<boolean>

/** Sends static copies without a database. Redirects requests with a wrong trailing slash to the page's own URL. */
export function serveCopies({ copies, hosts, pageCsp, ...settings }: CopyServices): CopyListener {
  const policy = contentSecurityPolicy(pageCsp)
  return async (request, response, address) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (!address || isRoutedByQuery(address)) return false
    const copy = await copies.find(address)
    if (!copy) return false
    if (address.slash === endsWithSlash(copy)) {
      const caching = pageCacheHeaders(request, copy.owner?.url, copy.owner, settings)
      sendCopy(request, response, copy, {
        ...caching,
        ...policy,
        ...robotsHeader(hosts, copy.owner?.site),
      })
      return true
    }
    if (copy.owner === undefined) return false
    redirect(response, copy.owner.url, address.query, [])
    return true
  }
}

function endsWithSlash({ owner }: ServedCopy): boolean {
  return owner?.url.endsWith('/') ?? true
}

function sendCopy(
  request: IncomingMessage,
  response: ServerResponse,
  { forms }: ServedCopy,
  headers: Readonly<Record<string, string>>,
): void {
  const coding = acceptedCoding(request.headers['accept-encoding'], forms)
  const form = forms.get(coding)
  if (!form) throw new Error(`a copy without ${coding}`)
  const { bytes, etag } = form
  const shared = { ETag: etag, Vary: 'Accept-Encoding', ...headers }
  if (isNotModified(request.headers['if-none-match'], etag)) {
    response.writeHead(304, shared).end()
    return
  }
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': bytes.length,
    'X-Content-Type-Options': 'nosniff',
    ...shared,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/** Evaluates `If-None-Match` with the weak comparison of RFC 9110, section 13.1.2. */
function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/**
 * Chooses the content coding by the weights of `Accept-Encoding` (RFC 9110, section 12.5.3). If the client accepts none of the existing
 * forms, `identity` is sent instead of an error.
 */
export function acceptedCoding(
  accepted: string | undefined,
  forms: { has(coding: Coding): boolean },
): Coding {
  if (!accepted) return 'identity'
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? (coding === 'identity' ? 0 : (weights.get('*') ?? 0))
  let best: Coding = 'identity'
  // The smallest form comes last, so it wins if the weights are equal.
  for (const coding of ['gzip', 'br'] as const) {
    const weight = weightOf(coding)
    if (weight > 0 && weight >= weightOf(best) && forms.has(coding)) best = coding
  }
  return best
}
