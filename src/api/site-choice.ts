import type { Request } from 'express'
import type { SiteChoice } from '../callers/authorize-site.ts'
import { siteNotFound } from '../callers/authorize-site.ts'
import { AppError } from '../errors.ts'

const POSITIVE_INTEGER = /^[1-9]\d{0,15}$/

/** The site of `/site/<id>/...`: anything but a positive integer is a site that does not exist. */
export function siteOfPath(siteId: string): SiteChoice {
  if (!POSITIVE_INTEGER.test(siteId)) throw siteNotFound()
  return { by: 'site_id', blogId: Number(siteId) }
}

/**
 * The site of the old addressing, by the first of these that is sent: `blog_id` (query, else body), the header
 * X-Svc-Blog-Id, `domain` (query, else body); the main site where none is (decisions, section 2).
 * @throws AppError `rest_invalid_param` for a selector that can't name a site
 */
export function siteOfSelectors(request: Request): SiteChoice {
  const body: unknown = request.body
  const field = (name: string): unknown => request.query[name] ?? ownField(body, name)
  const [blogId, header, domain] = [field('blog_id'), request.get('x-svc-blog-id'), field('domain')]
  if (blogId !== undefined) return { by: 'blog_id', blogId: positiveInteger('blog_id', blogId) }
  if (header !== undefined)
    return { by: 'header', blogId: positiveInteger('X-Svc-Blog-Id', header) }
  if (domain !== undefined) return addressOf(domain)
  return { by: 'default' }
}

function ownField(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined
  return Reflect.get(body, name)
}

function positiveInteger(name: string, value: unknown): number {
  const text = String(value)
  if (POSITIVE_INTEGER.test(text)) return Number(text)
  throw invalid(name, 'must be a positive integer')
}

/** A host, or a host and a path as in `net.test/shop`, as a row of `blogs` spells them. */
function addressOf(domain: unknown): SiteChoice {
  const [, host, path] = /^([^/\s]+)((?:\/[^/\s]+)*)\/?$/.exec(String(domain).trim()) ?? []
  if (typeof domain !== 'string' || !host) {
    throw invalid('domain', 'must be a host, or a host and a path as in net.test/shop')
  }
  return { by: 'domain', host, path: `${path}/` }
}

function invalid(name: string, rule: string): AppError {
  return new AppError('rest_invalid_param', `Invalid parameter(s): ${name}. It ${rule}.`, {
    params: { [name]: rule },
  })
}
