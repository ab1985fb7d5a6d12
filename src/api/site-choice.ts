import type { Request } from 'express'
import { type SiteChoice, siteNotFound } from '../record/auth/authorize-site.ts'
import { invalidParam } from './sent-fields.ts'

const POSITIVE_INTEGER = /^[1-9]\d*$/

/** How a request of the legacy addressing selects its site, as it was sent. */
export type LegacySelector =
  | { readonly by: 'blog_id' | 'header' | 'domain'; readonly value: unknown }
  | { readonly by: 'default'; readonly value?: undefined }

/** The site of `/site/<id>/...`; any id that is not a positive integer names a site that does not exist. */
export function siteChoiceOfPath(siteId: string): SiteChoice {
  if (!POSITIVE_INTEGER.test(siteId)) throw siteNotFound()
  return { by: 'site_id', blogId: blogIdOf(siteId) }
}

/** The site id in a path, before the path is routed; 0 if there is none. */
export function blogIdOfPath(path: string, basePath: string): number {
  const [, , siteId = ''] = path.slice(basePath.length).split('/', 3)
  return POSITIVE_INTEGER.test(siteId) ? blogIdOf(siteId) : 0
}

/**
 * The selector of the legacy addressing, the first of these that is sent: `blog_id` (query, else body), the header X-Svc-Blog-Id, `domain` (query,
 * else body); without any, the main site is selected.
 * @param body undefined if there is none, or it has not been read yet
 */
export function legacySelectorOf(request: Request, body?: unknown): LegacySelector {
  // PHP reads `blog_id[]=2` as a list. To choose the main site instead would answer about another one.
  const listed = Object.keys(request.query).find((name) => /^(?:blog_id|domain)\[/.test(name))
  if (listed !== undefined) throw invalidParam(listed, 'must be one value, not a list')
  const field = (name: string): unknown => request.query[name] ?? ownField(body, name)
  const sent = [
    { by: 'blog_id', value: field('blog_id') },
    { by: 'header', value: request.get('x-svc-blog-id') },
    { by: 'domain', value: field('domain') },
  ] as const
  return sent.find(({ value }) => value !== undefined) ?? { by: 'default' }
}

/**
 * The site that a selector names.
 * @throws AppError `rest_invalid_param` for a malformed selector
 */
export function siteChoiceOfSelector(selector: LegacySelector): SiteChoice {
  if (selector.by === 'default') return selector
  const { by, value } = selector
  if (by === 'domain') return addressOf(value)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (POSITIVE_INTEGER.test(text)) return { by, blogId: blogIdOf(text) }
  throw invalidParam(by === 'header' ? 'X-Svc-Blog-Id' : by, 'must be a positive integer')
}

/** Larger ids than JavaScript's safe integers belong to no site. */
const blogIdOf = (digits: string): number => Math.min(Number(digits), Number.MAX_SAFE_INTEGER)

function ownField(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined
  return Reflect.get(body, name)
}

/** Maximum length of `domain`, in characters: the table `blogs` has columns of 200 for the host and 100 for the path. */
export const MAX_DOMAIN_LENGTH = 500

/** Parses a host, or a host and a path as in `net.test/shop`, into the form of a row of `blogs`. */
function addressOf(domain: unknown): SiteChoice {
  const text = typeof domain === 'string' && domain.length <= MAX_DOMAIN_LENGTH ? domain.trim() : ''
  const [, host, path] = /^([^/\s]+)((?:\/[^/\s]+)*)\/?$/.exec(text) ?? []
  if (!host) {
    throw invalidParam('domain', 'must be a host, or a host and a path as in net.test/shop')
  }
  return { by: 'domain', host, path: `${path}/` }
}
