import { z } from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import type { ErrorCode } from '../../errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { describeBodyLimit } from '../request-body.ts'
import { errorResponses } from './error-codes.ts'
import { type HeaderReferences, headerReferences } from './response-headers.ts'

/** How a site is named: in the path, or in the old ways (contract, section 9). */
export type Addressing = {
  readonly prefix: string
  /** Of its operations' names and tags. */
  readonly suffix: string
  readonly path: z.ZodRawShape
  readonly query: z.ZodRawShape
  readonly header: z.ZodRawShape
  readonly errors: readonly ErrorCode[]
  readonly headers: HeaderReferences
}

/** The current addressing, and the old one. */
export const ADDRESSINGS: readonly Addressing[] = [
  {
    prefix: '/site/{site_id}',
    suffix: '',
    path: {
      site_id: z
        .int()
        .positive()
        .meta({ description: 'Blog id of the site.', examples: [2] }),
    },
    query: {},
    header: {},
    errors: [],
    headers: {},
  },
  {
    prefix: '',
    suffix: 'OfChosenSite',
    path: {},
    query: {
      blog_id: z
        .int()
        .positive()
        .optional()
        .meta({
          description:
            'Chooses the site; may be a field of the body instead. Goes before all other ways.',
          examples: [2],
        }),
      domain: z
        .string()
        .optional()
        .meta({
          description:
            'Chooses the site by its host, or host and path; may be a field of the body instead. Without any way, the main site is chosen.',
          examples: ['net.test/shop'],
        }),
    },
    header: {
      'X-Svc-Blog-Id': z
        .int()
        .positive()
        .optional()
        .meta({
          description: 'Chooses the site; goes before `domain`.',
          examples: [2],
        }),
    },
    errors: ['insufficient_role'],
    headers: headerReferences('X-Svc-Blog-Source'),
  },
]

/** Headers and refusals of any endpoint (contract, sections 5, 7 and 8). */
const COMMON_HEADERS = headerReferences(
  'X-Request-Id',
  'X-RateLimit-Remaining',
  'RateLimit',
  'RateLimit-Policy',
  'Server-Timing',
)
const COMMON_ERRORS: readonly ErrorCode[] = [
  'rest_invalid_param',
  'rest_invalid_json',
  'missing_token',
  'invalid_token',
  'site_not_found',
  'rest_no_route',
  'rest_body_too_large',
  'rest_unsupported_media_type',
  'too_many_requests',
  'too_many_auth_failures',
  'internal_error',
  'database_unavailable',
  'service_busy',
]

/** The name of an endpoint's family, which is the first word of its path: `Frames`. */
export function familyOf({ path }: Endpoint): string {
  const [, word = ''] = path.split('/')
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The tag under which an endpoint's operation in this addressing is listed. */
export function tagOf(endpoint: Endpoint, { suffix }: Addressing): string {
  return suffix === '' ? familyOf(endpoint) : `${familyOf(endpoint)}, old addressing`
}

const conditionHeader = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: ['"Yh3Qw0bXrV1c2Zk9LmNpSa"'] })

const READ_CONDITIONS = {
  'If-None-Match': conditionHeader('ETag of an earlier answer: `304` says that it is still true.'),
}
const WRITE_CONDITIONS = {
  'If-Match': conditionHeader(
    'ETag of a read: what was changed since is not overwritten, but `412` answered.',
  ),
  'If-None-Match': conditionHeader(
    '`*`: what is there already is not written to, but `412` answered.',
  ),
}

/** An endpoint in the words of OpenAPI. */
export function operationOf(endpoint: Endpoint, addressing: Addressing): ZodOpenApiOperationObject {
  const {
    name,
    method,
    summary,
    description,
    params,
    query,
    body,
    example,
    response: answer,
  } = endpoint
  const headers = { ...COMMON_HEADERS, ...addressing.headers }
  const tagged = { ...headers, ...headerReferences('ETag') }
  const isRead = method === 'get' && answer !== undefined
  const isConditional = endpoint.errors.includes('precondition_failed')
  return {
    operationId: `${name}${addressing.suffix}`,
    tags: [tagOf(endpoint, addressing)],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(answer ? {} : { deprecated: true }),
    requestParams: {
      path: z.object({ ...addressing.path, ...params.shape }),
      query: z.object({ ...query.shape, ...addressing.query }),
      header: z.object({
        ...addressing.header,
        ...(isRead ? READ_CONDITIONS : {}),
        ...(isConditional ? WRITE_CONDITIONS : {}),
      }),
    },
    ...(body && {
      requestBody: {
        description: `At most ${describeBodyLimit(endpoint.maxBodyBytes)}.`,
        content: {
          'application/json': { schema: body, ...(example !== undefined && { example }) },
        },
      },
    }),
    responses: {
      ...(answer && {
        200: {
          description: 'Done.',
          headers: isRead || isConditional ? tagged : headers,
          content: { 'application/json': { schema: answer } },
        },
      }),
      ...(isRead && { 304: { description: 'Nothing has changed.', headers: tagged } }),
      ...errorResponses([...endpoint.errors, ...addressing.errors, ...COMMON_ERRORS], headers),
    },
  }
}
