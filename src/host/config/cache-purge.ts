import { z } from 'zod'
import { parseUrl } from '../parse-url.ts'
import { type AWS_KEYS, secret } from './secrets.ts'
import { oneOf } from './variable-types.ts'

/** The response header with the tags of a page, and how the tags begin. */
export type CacheTagSettings = { readonly header: CacheTagHeader; readonly prefix: string }

/** Names of headers from which page caches read tags. */
const CACHE_TAG_HEADERS = [
  'Surrogate-Key',
  'Cache-Tag',
  'Edge-Cache-Tag',
  'CDN-Tag',
  'xkey',
  'x-amz-meta-cache-tag',
] as const

export type CacheTagHeader = (typeof CACHE_TAG_HEADERS)[number]

/** Length of the prefix of tags, in characters. */
export const MAX_CACHE_TAG_PREFIX = 32

/** A page cache that purges by tag, with the secrets that it needs. */
export type PurgerSetting = VarnishSetting | FastlySetting | CloudflareSetting | CloudFrontSetting

type VarnishSetting = {
  readonly kind: 'xkey' | 'ban'
  /** Base URL of the server, without a slash at the end. */
  readonly url: string
}

type CdnSetting = {
  /** Of the service, zone or distribution. */
  readonly id: string
  /** Address of the API, without a slash at the end [that of the CDN]. */
  readonly endpoint?: string | undefined
}

type FastlySetting = CdnSetting & { readonly kind: 'fastly'; readonly token: string }
type CloudflareSetting = CdnSetting & {
  readonly kind: 'cloudflare'
  readonly token: string
  readonly plan: CloudflarePlan
}
export type CloudFrontSetting = CdnSetting & {
  readonly kind: 'cloudfront'
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

const CLOUDFLARE_PLANS = ['free', 'pro', 'business', 'enterprise'] as const

export type CloudflarePlan = (typeof CLOUDFLARE_PLANS)[number]

export const CACHE_PURGE_VARIABLES = {
  CACHE_TAG_HEADER: oneOf(CACHE_TAG_HEADERS)
    .optional()
    .describe(
      'header in which the front sends the [tags](scale-and-caches.md#tags) of pages: `Surrogate-Key`, `Cache-Tag`, `Edge-Cache-Tag`, `CDN-Tag`, `xkey` or `x-amz-meta-cache-tag`',
    ),
  CACHE_TAG_PREFIX: z
    .string()
    .regex(
      new RegExp(`^[a-z][a-z0-9-]{0,${MAX_CACHE_TAG_PREFIX - 1}}$`),
      `must begin with a letter and may contain lower-case letters, digits and hyphens only, up to ${MAX_CACHE_TAG_PREFIX} characters`,
    )
    .prefault('wpf')
    .describe(
      'begin of all tags, up to 32 characters. Networks that share an account of a CDN need different ones',
    ),
  CACHE_PURGE: z
    .string()
    .optional()
    .describe(
      'comma-separated page caches that are [purged by tag](scale-and-caches.md#purges-by-tag), such as `xkey+http://varnish:6081,fastly://SERVICE`. Needs `CACHE_TAG_HEADER`',
    ),
  FASTLY_API_TOKEN: secret().describe(
    'secret of the API of Fastly, for `CACHE_PURGE`. It is sent to this API only, and is never logged',
  ),
  CLOUDFLARE_API_TOKEN: secret().describe('the same of Cloudflare'),
}

type CachePurgeVariables = z.output<z.ZodObject<typeof CACHE_PURGE_VARIABLES & typeof AWS_KEYS>>

export type CachePurgeSettings = {
  /** The header with the tags of pages; undefined if pages have none. */
  readonly cacheTags: CacheTagSettings | undefined
  /** Page caches that are purged by tag, with their secrets, in the order in which they are purged. */
  readonly cachePurge: readonly PurgerSetting[]
}

/**
 * Reads the settings of tags and purges by tag.
 * @throws Error whose message names the variable and what is wrong. It contains no secret
 */
export function cachePurgeSettings(variables: CachePurgeVariables): CachePurgeSettings {
  const { CACHE_TAG_HEADER: header, CACHE_TAG_PREFIX: prefix, CACHE_PURGE: text } = variables
  if (text !== undefined && header === undefined)
    throw new Error(
      `CACHE_PURGE purges by tag, so set CACHE_TAG_HEADER to the header that the page caches read: ${CACHE_TAG_HEADERS.join(', ')}`,
    )
  const parts = text?.split(',') ?? []
  return {
    cacheTags: header === undefined ? undefined : { header, prefix },
    cachePurge: parts.map((part) => parsePurger(part.trim(), variables)),
  }
}

function parsePurger(text: string, variables: CachePurgeVariables): PurgerSetting {
  const varnish = /^(xkey|ban)\+(https?:\/\/.*)$/.exec(text)
  if (varnish) return varnishSetting(text, varnish[1] as VarnishSetting['kind'], varnish[2] ?? '')
  if (text.startsWith('bunny:')) throw new Error(`CACHE_PURGE contains bunny://; ${NO_BUNNY}`)
  const [, kind = '', id = '', query = ''] =
    /^([a-z]+):\/\/([A-Za-z0-9]+)(?:\?(.*))?$/.exec(text) ?? []
  const options = Object.fromEntries(new URLSearchParams(query))
  const need = (name: keyof CachePurgeVariables): string => {
    const value = variables[name]
    if (value === undefined) throw new Error(`CACHE_PURGE contains ${kind}://, so set ${name} too`)
    return value
  }
  assertOptions(text, options, kind === 'cloudflare' ? ['endpoint', 'plan'] : ['endpoint'])
  const cdn = { id, ...endpointOf(options) }
  switch (kind) {
    case 'fastly':
      return { kind, ...cdn, token: need('FASTLY_API_TOKEN') }
    case 'cloudflare':
      return { kind, ...cdn, plan: planOf(options), token: need('CLOUDFLARE_API_TOKEN') }
    case 'cloudfront':
      return {
        kind,
        ...cdn,
        accessKeyId: need('AWS_ACCESS_KEY_ID'),
        secretAccessKey: need('AWS_SECRET_ACCESS_KEY'),
        sessionToken: variables.AWS_SESSION_TOKEN,
      }
    default:
      throw new Error(`CACHE_PURGE contains "${withoutUser(text)}"; ${FORMS}`)
  }
}

const NO_BUNNY =
  'bunny.net is not purged any more, because it does not document which tags a purge reaches. Remove it from CACHE_PURGE, and see docs/scale-and-caches.md#cdns for what to use instead'

const FORMS =
  'write xkey+http://varnish:6081, ban+http://varnish:6081, fastly://SERVICE, cloudflare://ZONE?plan=pro or cloudfront://DISTRIBUTION'

function varnishSetting(text: string, kind: VarnishSetting['kind'], url: string): VarnishSetting {
  if (!isBase(url)) throw new Error(`CACHE_PURGE contains "${withoutUser(text)}"; ${FORMS}`)
  return { kind, url: url.replace(/\/+$/, '') }
}

function assertOptions(
  text: string,
  options: Readonly<Record<string, string>>,
  known: readonly string[],
): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(
      `CACHE_PURGE contains the option "${unknown}" in "${text.split('?', 1)[0]}"; it knows ${known.join(' and ')} only`,
    )
}

function endpointOf({ endpoint }: Readonly<Record<string, string>>): Pick<CdnSetting, 'endpoint'> {
  if (endpoint === undefined) return {}
  if (!isBase(endpoint))
    throw new Error('CACHE_PURGE has an endpoint that is not an address of HTTP')
  return { endpoint: endpoint.replace(/\/+$/, '') }
}

function planOf({ plan = 'free' }: Readonly<Record<string, string>>): CloudflarePlan {
  const found = CLOUDFLARE_PLANS.find((known) => known === plan)
  if (found === undefined)
    throw new Error(
      `CACHE_PURGE has the plan "${plan}"; it must be one of ${CLOUDFLARE_PLANS.join(', ')}`,
    )
  return found
}

/** An address of HTTP without a user, a password, a query or a fragment. */
function isBase(text: string): boolean {
  const url = parseUrl(text)
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  )
}

const withoutUser = (text: string): string => text.replace(/\/\/[^/@]*@/, '//...@')
