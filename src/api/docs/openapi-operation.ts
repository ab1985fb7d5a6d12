import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { ERRORS, type ErrorCode, errorRow, type SharedSchemas } from '../../host/errors.ts'
import { TIMINGS } from '../../host/timings.ts'
import { field, optional } from '../described.ts'
import { type Endpoint, familyOf, NETWORK_PREFIX } from '../endpoint.ts'
import { EntrySchema, WrittenThingSchema } from '../endpoints/history.ts'
import { EVENT_STREAM } from '../event-requests.ts'
import { sitePath } from '../fields.ts'
import { NamesSchema } from '../names.ts'
import { describeBodyLimit } from '../request-body.ts'
import {
  IDEMPOTENCY_KEY,
  IDEMPOTENCY_REPLAYED,
  IDEMPOTENCY_REQUEST_ID,
  MAX_KEY_LENGTH,
} from '../run/idempotency-key.ts'
import { type HeaderReferences, headerReferences } from './response-headers.ts'

/** How a request names its site: in the path, or in the legacy addressing. */
export type Addressing = {
  readonly prefix: string
  /** Suffix of the names of its operations. */
  readonly suffix: string
  readonly path: z.ZodRawShape
  readonly query: z.ZodRawShape
  readonly header: z.ZodRawShape
  readonly errors: readonly ErrorCode[]
  readonly headers: HeaderReferences
}

const PLAIN: Addressing = {
  prefix: '',
  suffix: '',
  path: {},
  query: {},
  header: {},
  errors: [],
  headers: {},
}

/** The current addressing and the legacy addressing. */
export const ADDRESSINGS: readonly Addressing[] = [
  { ...PLAIN, prefix: '/site/{site_id}', path: sitePath },
  {
    ...PLAIN,
    suffix: 'OfChosenSite',
    query: {
      blog_id: optional(
        z.int().positive(),
        'Selects the site; may be a field of the body instead. Takes precedence over all other selectors.',
        2,
      ),
      domain: optional(
        z.string(),
        'Selects the site by its host, or host and path; may be a field of the body instead. Without any selector, the main site is selected.',
        'net.test/shop',
      ),
    },
    header: {
      'X-Svc-Blog-Id': optional(
        z.int().positive(),
        'Selects the site; takes precedence over `domain`.',
        2,
      ),
    },
    errors: ['insufficient_role'],
    headers: headerReferences('X-Svc-Blog-Source'),
  },
]

/** The endpoints of the network, for super administrators. */
export const NETWORK_ADDRESSING: Addressing = {
  ...PLAIN,
  prefix: NETWORK_PREFIX,
  errors: ['insufficient_role'],
}

/** The endpoints without a site, for every caller. */
export const CALLER_ADDRESSING: Addressing = PLAIN

/** Headers and errors of every endpoint. */
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
  'table_unsupported',
  'insufficient_scope',
  'rest_no_route',
  'rest_body_too_large',
  'rest_unsupported_media_type',
  'too_many_requests',
  'too_many_auth_failures',
  'internal_error',
  'database_unavailable',
  'service_busy',
]

/** The tag of an endpoint's operation in this addressing. */
export function tagOf(endpoint: Endpoint, { suffix }: Addressing): string {
  const family = familyOf(endpoint)
  return suffix === '' ? family : `${family}, old addressing`
}

const conditionHeader = (description: string) =>
  optional(z.string(), description, '"Yh3Qw0bXrV1c2Zk9LmNpSa"')

const STREAM_HEADERS = {
  'Last-Event-ID': optional(
    z.string(),
    `Id of the last event that the client has received, with \`Accept: ${EVENT_STREAM}\`; takes precedence over \`since\`.`,
    '1207-4f1c2d3e',
  ),
}
const STREAM_CONTENT = {
  [EVENT_STREAM]: {
    schema: z.string().meta({
      description: `For a client with \`Accept: ${EVENT_STREAM}\`: a stream without an end. Each event has its \`id\`, its type in \`event\`, and in \`data\` what the list has of it. \`wait\` and \`limit\` have no effect.`,
    }),
  },
}

const READ_CONDITIONS = {
  'If-None-Match': conditionHeader(
    'ETag of an earlier response; `304` means that the response is unchanged.',
  ),
}
const WRITE_CONDITIONS = {
  'If-Match': conditionHeader(
    'ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written.',
  ),
  'If-None-Match': conditionHeader(
    '`*`: if the frame or menu already exists, the response is `412` and nothing is written.',
  ),
}

const KEY_HEADER = {
  [IDEMPOTENCY_KEY]: optional(
    z.string().min(1).max(MAX_KEY_LENGTH),
    `Makes the request safe to repeat: the same request with the same key gets the first answer for ${TIMINGS.idempotency.keptHours} hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write.`,
    '8e03978e-40d5-43dd-bc93-6894a57f9324',
  ),
}
const KEY_ERRORS: readonly ErrorCode[] = ['idempotency_key_reused', 'idempotent_answer_too_large']

/** The OpenAPI operation of an endpoint. */
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
    response: successResponse,
  } = endpoint
  const takesKey = !endpoint.repeatable
  const headers = { ...COMMON_HEADERS, ...addressing.headers }
  const tagged = { ...headers, ...headerReferences('ETag') }
  const isRead = method === 'get' && successResponse !== undefined
  const isConditional = endpoint.errors.includes('precondition_failed')
  return {
    operationId: `${name}${addressing.suffix}`,
    tags: [tagOf(endpoint, addressing)],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(successResponse ? {} : { deprecated: true }),
    requestParams: {
      path: z.object({ ...addressing.path, ...params.shape }),
      query: z.object({ ...query.shape, ...addressing.query }),
      header: z.object({
        ...addressing.header,
        ...(isRead ? READ_CONDITIONS : {}),
        ...(endpoint.events ? STREAM_HEADERS : {}),
        ...(isConditional ? WRITE_CONDITIONS : {}),
        ...(takesKey ? KEY_HEADER : {}),
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
      ...(successResponse && {
        200: {
          description: 'Success.',
          headers: {
            ...(isRead || isConditional ? tagged : headers),
            ...(takesKey ? headerReferences(IDEMPOTENCY_REPLAYED, IDEMPOTENCY_REQUEST_ID) : {}),
          },
          content: {
            'application/json': { schema: successResponse },
            ...(endpoint.events ? STREAM_CONTENT : {}),
          },
        },
      }),
      ...(isRead && { 304: { description: 'Unchanged.', headers: tagged } }),
      ...errorResponses(
        [
          ...endpoint.errors,
          ...(takesKey ? KEY_ERRORS : []),
          ...addressing.errors,
          ...COMMON_ERRORS,
        ],
        headers,
      ),
    },
  }
}

/** The schemas of the API that fields of errors have. */
const SHARED: SharedSchemas = {
  thing: WrittenThingSchema,
  changed: z.object({
    ...WrittenThingSchema.omit({ action: true }).shape,
    entry: EntrySchema.nullable().describe('Its last change; null if another program has made it.'),
  }),
  names: NamesSchema,
}

const FailedRequestSchema = z
  .object({ index: z.int(), method: z.string(), path: z.string() })
  .meta({
    id: 'FailedRequest',
    description: 'Only in the response of a batch: the request with this error.',
  })

const FailedUnsavedSchema = z.string().meta({
  id: 'FailedUnsaved',
  description: 'Only in the response of a preview: the part of the body with this error.',
  examples: ['frames[0]'],
})

/** The responses for these errors, by status, with a schema for each code. */
function errorResponses(
  codes: readonly ErrorCode[],
  headers: HeaderReferences,
): ZodOpenApiResponsesObject {
  const statuses = [...new Set(codes.map((code) => errorRow(code).status))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const group = codes.filter((code) => errorRow(code).status === status)
      return [
        status,
        {
          description: group.map((code) => `\`${code}\`: ${errorRow(code).when}`).join('\n\n'),
          headers: {
            ...headers,
            ...(group.some(hasRetryAfter) ? headerReferences('Retry-After') : {}),
            ...(group.includes('precondition_failed') ? headerReferences('ETag') : {}),
          },
          content: { 'application/json': { schema: anyOf(group.map((code) => SCHEMAS[code])) } },
        },
      ]
    }),
  )
}

const hasRetryAfter = (code: ErrorCode): boolean =>
  errorRow(code).fields?.(SHARED).retry_after !== undefined

const anyOf = (schemas: readonly z.ZodType[]): z.ZodType =>
  schemas.length > 1 ? z.union(schemas) : (schemas[0] ?? z.never())

/** The schema of an error's body in its shape; one component per code: `FrameNotFound`. */
function createSchema(code: ErrorCode): z.ZodType {
  const { status, early, when, fields: own } = errorRow(code)
  const fields = {
    ...own?.(SHARED),
    request: FailedRequestSchema.optional(),
    unsaved: FailedUnsavedSchema.optional(),
  }
  const message = field(z.string(), 'What happened and what to do, in English.', when)
  const id = code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const body = early
    ? z.object({
        // An endpoint that the contract does not have answers in both shapes.
        success: z.literal(false).optional(),
        error: z.literal(code).optional(),
        code: z.literal(code),
        message,
        data: z.object({ status: z.literal(status), ...fields }),
        ...z.object(fields).partial().shape,
      })
    : z.object({ success: z.literal(false), error: z.literal(code), message, ...fields })
  return body.meta({ id, description: when })
}

/** One schema per code, so that all responses with a code share its component. */
const SCHEMAS = Object.fromEntries(
  Object.keys(ERRORS).map((code) => [code, createSchema(code as ErrorCode)]),
) as Record<ErrorCode, z.ZodType>
