import { AppError, type ErrorCode } from '../errors.ts'

/** Who answers: what stands before an endpoint (token, site, body, route), or the endpoint itself (contract, section 7). */
type Shape = 'pre-handler' | 'handler'

type HttpResponse = { readonly status: number; readonly shape: Shape }

const preHandler = (status: number): HttpResponse => ({ status, shape: 'pre-handler' })
const inside = (status: number): HttpResponse => ({ status, shape: 'handler' })

/** The only place that gives error codes their HTTP numbers and shapes. */
export const HTTP_RESPONSES: Record<ErrorCode, HttpResponse> = {
  missing_token: preHandler(401),
  invalid_token: preHandler(401),
  too_many_auth_failures: preHandler(429),
  too_many_requests: preHandler(429),
  insufficient_role: preHandler(403),
  site_not_found: preHandler(404),
  rest_invalid_json: preHandler(400),
  rest_body_too_large: preHandler(413),
  rest_unsupported_media_type: preHandler(415),
  rest_invalid_param: preHandler(400),
  rest_no_route: preHandler(404),
  database_unavailable: preHandler(503),
  service_busy: preHandler(503),
  internal_error: preHandler(500),
  gone: inside(410),
  internal_unavailable: inside(502),
  frame_not_found: inside(404),
  frame_ref_required: inside(400),
  frame_html_required: inside(400),
  frame_url_not_supported: inside(400),
  frame_ref_conflict: inside(400),
  frame_charset_unsupported: inside(400),
  frame_too_large: inside(413),
  frame_unreadable: inside(500),
  unfiltered_html_required: inside(403),
  site_quota_exceeded: inside(413),
  invalid_slug: inside(400),
  slug_taken: inside(409),
  nothing_to_update: inside(400),
  nothing_to_rebake: inside(400),
  page_required: inside(400),
  page_not_found: inside(404),
  ambiguous_page: inside(409),
  menu_not_found: inside(404),
  menu_not_assigned: inside(404),
  ambiguous_menu: inside(409),
  menu_name_required: inside(400),
  bad_items: inside(400),
  menu_items_unresolved: inside(409),
  menu_items_invalid: inside(409),
  item_target_required: inside(400),
  item_not_found: inside(404),
  bad_parent: inside(409),
  bad_reorder: inside(400),
  location_required: inside(400),
  unknown_location: inside(400),
  unknown_language: inside(400),
  polylang_inactive: inside(409),
  menu_assignment_not_stored: inside(500),
  unknown_source: inside(404),
  precondition_failed: inside(412),
}

/** How the refusals of a code are answered. */
export function httpResponseOf(code: ErrorCode): HttpResponse {
  return HTTP_RESPONSES[code]
}

/** The HTTP status of a refusal. */
export function statusOf(error: AppError): number {
  return HTTP_RESPONSES[error.code].status
}

/** The body of a refusal in one of the contract's two shapes. */
export function errorBodyOf(error: AppError, more: object = {}): object {
  const { status, shape } = HTTP_RESPONSES[error.code]
  const { code, message } = error
  const fields = { ...error.fields, ...more }
  if (shape === 'handler') return { success: false, error: code, message, ...fields }
  return { code, message, data: { status, ...fields } }
}

/** The refusal that a failure of Express itself stands for; undefined for any other error. */
export function expressErrorOf(error: unknown): AppError | undefined {
  const isUndecodablePath = error instanceof URIError && Reflect.get(error, 'status') === 400
  if (!isUndecodablePath) return undefined
  return new AppError(
    'rest_no_route',
    'The path of this request is not readable. Percent-encode it in UTF-8.',
  )
}
