/**
 * The codes a caller can meet: a closed union, so that the one table that gives them HTTP numbers
 * (`api/errors.ts`) is checked for completeness by the compiler.
 */
export type ErrorCode =
  // Before an endpoint runs: token, rate, site, body, route (decisions, section 4).
  | 'missing_token'
  | 'invalid_token'
  | 'too_many_auth_failures'
  | 'too_many_requests'
  | 'insufficient_role'
  | 'site_not_found'
  | 'rest_invalid_json'
  | 'rest_body_too_large'
  | 'rest_unsupported_media_type'
  | 'rest_invalid_param'
  | 'rest_no_route'
  | 'database_unavailable'
  | 'service_busy'
  | 'internal_error'
  // Inside an endpoint (contract, sections 4.1, 4.2 and 7).
  | 'gone'
  | 'internal_unavailable'
  | 'frame_not_found'
  | 'frame_ref_required'
  | 'frame_html_required'
  | 'frame_url_not_supported'
  | 'frame_ref_conflict'
  | 'frame_charset_unsupported'
  | 'frame_too_large'
  | 'frame_unreadable'
  | 'unfiltered_html_required'
  | 'site_quota_exceeded'
  | 'invalid_slug'
  | 'slug_taken'
  | 'nothing_to_update'
  | 'nothing_to_rebake'
  | 'page_required'
  | 'page_not_found'
  | 'ambiguous_page'
  | 'menu_not_found'
  | 'menu_not_assigned'
  | 'ambiguous_menu'
  | 'menu_name_required'
  | 'bad_items'
  | 'menu_items_unresolved'
  | 'menu_items_invalid'
  | 'item_target_required'
  | 'item_not_found'
  | 'bad_parent'
  | 'bad_reorder'
  | 'location_required'
  | 'unknown_location'
  | 'unknown_language'
  | 'polylang_inactive'
  | 'menu_assignment_not_stored'
  | 'unknown_source'
  | 'precondition_failed'

/** A refusal in the caller's terms. `fields` go into the answer beside the code and the message. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, fields: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.fields = fields
  }
}
