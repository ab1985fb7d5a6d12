import type { ErrorRequestHandler, Request } from 'express'
import { isDatabaseUnavailable, isDenied } from '../db/database-error.ts'
import {
  AppError,
  contractErrorOf,
  DomainError,
  describeDomainError,
  type ErrorCode,
} from '../errors.ts'
import type { Log } from '../log.ts'
import { tableErrorOf } from '../wordpress/health/table-knowledge.ts'
import { API_SENTENCES } from './domain-error-sentences.ts'
import { entityTag } from './entity-tag.ts'

/** The shape of an error: `pre-handler` before an endpoint runs (token, site, body, route), `handler` in an endpoint. */
type Shape = 'pre-handler' | 'handler'

type HttpResponse = { readonly status: number; readonly shape: Shape }

const preHandler = (status: number): HttpResponse => ({ status, shape: 'pre-handler' })
const inHandler = (status: number): HttpResponse => ({ status, shape: 'handler' })

/** The HTTP status and the shape of each error code. No other file has them. */
export const HTTP_RESPONSES: Record<ErrorCode, HttpResponse> = {
  missing_token: preHandler(401),
  invalid_token: preHandler(401),
  too_many_auth_failures: preHandler(429),
  too_many_requests: preHandler(429),
  insufficient_role: preHandler(403),
  insufficient_scope: preHandler(403),
  site_not_found: preHandler(404),
  rest_invalid_json: preHandler(400),
  rest_body_too_large: preHandler(413),
  rest_unsupported_media_type: preHandler(415),
  rest_invalid_param: preHandler(400),
  rest_no_route: preHandler(404),
  database_unavailable: preHandler(503),
  service_busy: preHandler(503),
  legacy_loop: preHandler(508),
  legacy_unavailable: preHandler(502),
  internal_error: preHandler(500),
  gone: inHandler(410),
  internal_unavailable: inHandler(502),
  frame_not_found: inHandler(404),
  frame_ref_required: inHandler(400),
  frame_html_required: inHandler(400),
  frame_url_not_supported: inHandler(400),
  frame_ref_conflict: inHandler(400),
  frame_charset_unsupported: inHandler(400),
  frame_too_large: inHandler(413),
  frame_unreadable: inHandler(500),
  unfiltered_html_required: inHandler(403),
  site_quota_exceeded: inHandler(413),
  invalid_slug: inHandler(400),
  slug_taken: inHandler(409),
  nothing_to_update: inHandler(400),
  nothing_to_rebake: inHandler(400),
  page_required: inHandler(400),
  page_not_found: inHandler(404),
  ambiguous_page: inHandler(409),
  menu_not_found: inHandler(404),
  menu_not_assigned: inHandler(404),
  ambiguous_menu: inHandler(409),
  menu_name_required: inHandler(400),
  menu_term_shared: inHandler(409),
  bad_items: inHandler(400),
  menu_items_unresolved: inHandler(409),
  menu_items_invalid: inHandler(409),
  item_target_required: inHandler(400),
  item_not_found: inHandler(404),
  bad_parent: inHandler(409),
  bad_reorder: inHandler(400),
  bad_description: inHandler(400),
  location_required: inHandler(400),
  unknown_location: inHandler(400),
  unknown_language: inHandler(400),
  polylang_inactive: inHandler(409),
  menu_assignment_not_stored: inHandler(500),
  unknown_source: inHandler(404),
  precondition_failed: inHandler(412),
  entry_not_found: inHandler(404),
  plan_not_found: inHandler(404),
  plan_not_ready: inHandler(409),
  plan_changed: inHandler(409),
  list_too_large: inHandler(413),
  plan_too_large: inHandler(413),
  description_too_large: inHandler(413),
  changed_since: inHandler(409),
  restore_too_large: inHandler(413),
  examination_too_slow: inHandler(413),
  fix_too_large: inHandler(413),
  batch_too_large: inHandler(413),
  engine_not_transactional: inHandler(409),
  table_unsupported: inHandler(409),
  page_has_no_frame: inHandler(409),
  preview_too_slow: inHandler(413),
  idempotency_key_reused: inHandler(409),
  idempotent_answer_too_large: inHandler(413),
  user_not_found: inHandler(404),
  token_not_found: inHandler(404),
  webhook_not_found: inHandler(404),
  delivery_not_found: inHandler(404),
  too_many_webhooks: inHandler(409),
}

/** The HTTP status and the shape of a code. */
export function httpResponseOf(code: ErrorCode): HttpResponse {
  return HTTP_RESPONSES[code]
}

/** The HTTP status of an error. */
function statusOf(error: AppError): number {
  return HTTP_RESPONSES[error.code].status
}

/** The body of an error in one of the contract's two shapes. */
function errorBodyOf(error: AppError, more: object = {}): object {
  const { status, shape } = HTTP_RESPONSES[error.code]
  const { code, message } = error
  const fields = { ...error.fields, ...more }
  if (shape === 'handler') return { success: false, error: code, message, ...fields }
  return { code, message, data: { status, ...fields } }
}

/** The status and the body of an error. */
export const errorResponseOf = (error: AppError) => ({
  status: statusOf(error),
  body: errorBodyOf(error),
})

/** The API's error for an error of Express itself; undefined for any other error. */
function expressErrorOf(error: unknown): AppError | undefined {
  const isUndecodablePath = error instanceof URIError && Reflect.get(error, 'status') === 400
  if (!isUndecodablePath) return undefined
  return new AppError(
    'rest_no_route',
    'The path of this request is malformed. Percent-encode it in UTF-8.',
  )
}

/** Seconds after which a client may retry when the database is unreachable. */
const RETRY_DATABASE_AFTER = 5

/** The errors that an operator must know of. */
const LOGGED: ReadonlySet<ErrorCode> = new Set([
  'internal_error',
  'database_unavailable',
  'table_unsupported',
])

/** Sends every error in a shape of the contract. Unexpected errors are logged, and the response does not describe them. */
export function handleErrors(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const appError = appErrorOf(error)
    if (LOGGED.has(appError.code)) {
      const hint = isDenied(error)
        ? ': the database user lacks a right. Run "wp-frames doctor", which prints the statements that grant what is missing'
        : ''
      log.error({ req: { id: request.id }, err: error }, `request failed${hint}`)
    }
    // The response has begun, so Express can only close the connection.
    if (response.headersSent) return next(error)
    const { retry_after: wait, version } = appError.fields
    if (wait !== undefined) response.set('Retry-After', String(wait))
    // RFC 6750, section 3: no error is named if no token was sent.
    if (statusOf(appError) === 401)
      response.set(
        'WWW-Authenticate',
        `Bearer realm="wp-frames"${appError.code === 'invalid_token' ? ', error="invalid_token"' : ''}`,
      )
    const tag = version === undefined ? undefined : entityTag(String(version))
    if (tag !== undefined) response.set('ETag', tag)
    const more = {
      ...(appError.code === 'internal_error' ? { request_id: request.id } : {}),
      ...(tag === undefined ? {} : { version: undefined, etag: tag }),
    }
    response.status(statusOf(appError)).json(errorBodyOf(appError, more))
  }
}

/** The error of the API for one that a client can handle by its code; undefined for any other error. */
export function knownErrorOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (!(error instanceof DomainError)) return tableErrorOf(error)
  const { code, fields } = contractErrorOf(error)
  return new AppError(code, describeDomainError(error, API_SENTENCES), fields)
}

/**
 * Runs a part of a request.
 * @param sentence which part it is; appended to the message of an error
 * @throws AppError the error of the part, with `fields` that name it
 */
export async function asPart<T>(
  work: () => T | Promise<T>,
  { sentence, fields }: { readonly sentence: string; readonly fields: Record<string, unknown> },
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = knownErrorOf(error)
    if (!known) throw error
    throw new AppError(known.code, `${known.message} ${sentence}`, { ...known.fields, ...fields })
  }
}

/** The error of the API for any error: what is unexpected is not described. */
export function appErrorOf(error: unknown): AppError {
  const known = knownErrorOf(error)
  if (known) return known
  if (isDatabaseUnavailable(error)) {
    return new AppError(
      'database_unavailable',
      'The database is unreachable. Retry in a few seconds.',
      { retry_after: RETRY_DATABASE_AFTER },
    )
  }
  // Only what a client has sent is so deep: code that reads it by recursion, such as JSON.stringify, has no more stack.
  if (error instanceof RangeError && /call stack/.test(error.message))
    return new AppError(
      'rest_invalid_json',
      'The body has lists or objects within each other that are thousands of levels deep. Send fewer levels.',
    )
  return (
    expressErrorOf(error) ??
    new AppError(
      'internal_error',
      'Unexpected server error. Retry; if it persists, report this request id to the operator.',
    )
  )
}

/** @throws AppError `rest_no_route` */
export function noRoute({ method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>): never {
  throw new AppError(
    'rest_no_route',
    `There is no endpoint ${method} ${originalUrl.split('?', 1)[0]}. Check the method and the path.`,
  )
}
