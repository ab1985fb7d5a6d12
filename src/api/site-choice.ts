import type { Request } from 'express'
import { type SiteChoice, siteNotFound } from '../auth/authorize-site.ts'
import { AppError } from '../errors.ts'

const POSITIVE_INTEGER = /^[1-9]\d*$/

/** What chooses the site of a request in the old addressing, as it was sent. */
export type LegacySelector =
  | { readonly by: 'blog_id' | 'header' | 'domain'; readonly value: unknown }
  | { readonly by: 'default'; readonly value?: undefined }

/** The site of `/site/<id>/...`: anything but a positive integer is a site that does not exist. */
export function siteChoiceOfPath(siteId: string): SiteChoice {
  if (!POSITIVE_INTEGER.test(siteId)) throw siteNotFound()
  return { by: 'site_id', blogId: blogIdOf(siteId) }
}

/** The site that a path below the API seems to be for, before it is known what stands there; 0 where it names none. */
export function blogIdOfPath(path: string, basePath: string): number {
  const [, , siteId = ''] = path.slice(basePath.length).split('/', 3)
  return POSITIVE_INTEGER.test(siteId) ? blogIdOf(siteId) : 0
}

/**
 * The selector of the old addressing, the first of these that is sent: `blog_id` (query, else body), the header
 * X-Svc-Blog-Id, `domain` (query, else body); none chooses the main site (decisions, section 2).
 * @param body undefined where there is none, or it was not read yet
 */
export function legacySelectorOf(request: Request, body?: unknown): LegacySelector {
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
 * @throws AppError `rest_invalid_param` for a selector that can't name a site
 */
export function siteChoiceOfSelector(selector: LegacySelector): SiteChoice {
  if (selector.by === 'default') return selector
  const { by, value } = selector
  if (by === 'domain') return addressOf(value)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (POSITIVE_INTEGER.test(text)) return { by, blogId: blogIdOf(text) }
  throw invalidSelector(by === 'header' ? 'X-Svc-Blog-Id' : by, 'must be a positive integer')
}

/** No site has a number that JavaScript can't count to. */
const blogIdOf = (digits: string): number => Math.min(Number(digits), Number.MAX_SAFE_INTEGER)

function ownField(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined
  return Reflect.get(body, name)
}

/** Longest `domain`, in characters: the columns of `blogs` hold 200 of a host and 100 of a path. */
export const MAX_DOMAIN_LENGTH = 500

/** A host, or a host and a path as in `net.test/shop`, as a row of `blogs` spells them. */
function addressOf(domain: unknown): SiteChoice {
  const text = typeof domain === 'string' && domain.length <= MAX_DOMAIN_LENGTH ? domain.trim() : ''
  const [, host, path] = /^([^/\s]+)((?:\/[^/\s]+)*)\/?$/.exec(text) ?? []
  if (!host) {
    throw invalidSelector('domain', 'must be a host, or a host and a path as in net.test/shop')
  }
  return { by: 'domain', host, path: `${path}/` }
}

function invalidSelector(name: string, rule: string): AppError {
  return new AppError('rest_invalid_param', `Invalid parameter(s): ${name}. It ${rule}.`, {
    params: { [name]: rule },
  })
}
