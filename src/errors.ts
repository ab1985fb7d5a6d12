/**
 * The error codes of the API and of `--json`. A closed union, so that the compiler checks that the tables of HTTP statuses
 * (`api/http-errors.ts`) and of descriptions (`api/docs/error-codes.ts`) are complete.
 */
export type ErrorCode =
  // Before an endpoint runs: token, rate, site, body, route.
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
  | 'legacy_loop'
  | 'legacy_unavailable'
  | 'internal_error'
  // Inside an endpoint.
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
  | 'menu_term_shared'
  | 'bad_items'
  | 'menu_items_unresolved'
  | 'menu_items_invalid'
  | 'item_target_required'
  | 'item_not_found'
  | 'bad_parent'
  | 'bad_reorder'
  | 'bad_description'
  | 'location_required'
  | 'unknown_location'
  | 'unknown_language'
  | 'polylang_inactive'
  | 'menu_assignment_not_stored'
  | 'unknown_source'
  | 'precondition_failed'
  | 'entry_not_found'
  | 'plan_not_found'
  | 'plan_not_ready'
  | 'plan_changed'
  | 'list_too_large'
  | 'plan_too_large'
  | 'description_too_large'
  | 'changed_since'
  | 'restore_too_large'
  | 'examination_too_slow'
  | 'fix_too_large'
  | 'idempotency_key_reused'
  | 'idempotent_answer_too_large'
  | 'batch_too_large'
  | 'engine_not_transactional'
  | 'table_unsupported'
  | 'page_has_no_frame'
  | 'preview_too_slow'
  | 'insufficient_scope'
  | 'user_not_found'
  | 'token_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'too_many_webhooks'

/** An error whose message tells an operator what is wrong and what to do. Commands print it without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}

/** An error that a client can handle by its code. The response has the code, the message and `fields`. */
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

/** A page that a reference may refer to, as shown in the contract. */
export type PageCandidate = {
  readonly id: number
  readonly path: string
  readonly lang: string | null
  readonly status: string
}
type MenuCandidate = { readonly id: number; readonly name: string; readonly slug: string }

/** The item errors of a tree, in the contract's shape, and the items that lead visitors nowhere. */
type ItemErrors = { readonly errors: readonly object[]; readonly invalid?: readonly object[] }

/** The data of each domain error, by its kind. */
export type DomainErrorData = {
  page_not_found: { readonly ref: string | number }
  ambiguous_page: {
    readonly ref: string | number
    /** Number of pages that match; `candidates` lists the first of them. */
    readonly total: number
    readonly candidates: readonly PageCandidate[]
  }
  menu_not_found: { readonly ref: string | number; readonly similar?: string | undefined }
  /** The menu was deleted while the request ran. */
  menu_deleted: { readonly ref: string | number }
  ambiguous_menu: { readonly ref: string | number; readonly candidates: readonly MenuCandidate[] }
  menu_not_assigned: {
    readonly location: string
    readonly lang: string | undefined
    readonly theme: string
  }
  /** An option that cannot be decoded, and why. */
  option_damaged: { readonly option: string; readonly reason: string }
  /** The values that were read back, by option. */
  assignment_not_stored: { readonly readBack: Readonly<Record<string, unknown>> }
  /** The option `stylesheet` is not the name of a theme; its length in characters. */
  theme_option_invalid: { readonly length: number }
  theme_spelling: { readonly theme: string; readonly spelling: string }
  menu_name_missing: Readonly<Record<string, never>>
  /** The term of the menu is also one of this taxonomy. */
  menu_term_shared: { readonly taxonomy: string }
  menu_name_too_long: { readonly limit: number; readonly unit: 'bytes' | 'characters' }
  items_malformed: ItemErrors
  items_unresolved: ItemErrors
  items_unpublished: { readonly invalid: readonly object[] }
  /** `message` says what the item lacks. */
  item_target_missing: { readonly message: string }
  item_page_not_found: { readonly page: unknown; readonly message: string }
  item_page_ambiguous: {
    readonly page: unknown
    readonly message: string
    readonly candidates?: readonly PageCandidate[] | undefined
  }
  item_not_found: { readonly id: number }
  item_below_itself: Readonly<Record<string, never>>
  item_too_deep: { readonly levels: number }
  /** `items` and `levels` are the limits. */
  menu_too_large: {
    readonly reason: 'too_many_items' | 'too_deep'
    readonly items: number
    readonly levels: number
  }
  wrong_level: { readonly level: readonly number[]; readonly notInLevel: readonly number[] }
  unknown_location: { readonly locations: readonly string[] }
  unknown_language: { readonly languages: readonly string[] }
  polylang_inactive: Readonly<Record<string, never>>
}

export type DomainErrorKind = keyof DomainErrorData

/**
 * A rule of `wordpress/` or `menus/` that a request breaks. It has no sentence for callers: the API and the command line each make their
 * own from the kind and the data.
 */
export class DomainError<Kind extends DomainErrorKind = DomainErrorKind> extends Error {
  override readonly name = 'DomainError'
  readonly kind: Kind
  readonly data: DomainErrorData[Kind]

  constructor(kind: Kind, data: DomainErrorData[Kind]) {
    super(kind)
    this.kind = kind
    this.data = data
  }
}

type ContractError = {
  readonly code: ErrorCode
  readonly fields: Readonly<Record<string, unknown>>
}

/** The contract's code and fields of each kind. They are the same in answers of the API and in `--json`, so they are defined below both. */
const CONTRACT_ERRORS: {
  readonly [Kind in DomainErrorKind]: (data: DomainErrorData[Kind]) => ContractError
} = {
  page_not_found: () => ({ code: 'page_not_found', fields: {} }),
  ambiguous_page: ({ candidates }) => ({ code: 'ambiguous_page', fields: { candidates } }),
  menu_not_found: ({ similar }) => ({
    code: 'menu_not_found',
    fields: similar === undefined ? {} : { similar },
  }),
  menu_deleted: () => ({ code: 'menu_not_found', fields: {} }),
  ambiguous_menu: ({ candidates }) => ({ code: 'ambiguous_menu', fields: { candidates } }),
  menu_not_assigned: () => ({ code: 'menu_not_assigned', fields: {} }),
  option_damaged: ({ option }) => notStored({ [option]: null }),
  assignment_not_stored: ({ readBack }) => notStored(readBack),
  theme_option_invalid: () => notStored({ stylesheet: null }),
  theme_spelling: ({ spelling }) => invalidParam('theme', `must be spelled "${spelling}"`),
  menu_term_shared: () => ({ code: 'menu_term_shared', fields: {} }),
  menu_name_missing: () => ({ code: 'menu_name_required', fields: {} }),
  menu_name_too_long: ({ limit, unit }) =>
    invalidParam('name', `must have at most ${limit} ${unit}`),
  items_malformed: (data) => ({ code: 'bad_items', fields: data }),
  items_unresolved: (data) => ({ code: 'menu_items_unresolved', fields: data }),
  items_unpublished: (data) => ({ code: 'menu_items_invalid', fields: data }),
  item_target_missing: () => ({ code: 'item_target_required', fields: {} }),
  item_page_not_found: ({ page }) => ({ code: 'page_not_found', fields: { page } }),
  item_page_ambiguous: ({ page, candidates }) => ({
    code: 'ambiguous_page',
    fields: { page, ...(candidates ? { candidates } : {}) },
  }),
  item_not_found: ({ id }) => ({ code: 'item_not_found', fields: { id } }),
  item_below_itself: () => ({ code: 'bad_parent', fields: {} }),
  item_too_deep: () => ({ code: 'bad_parent', fields: {} }),
  menu_too_large: ({ reason }) => ({
    code: 'bad_items',
    fields: { errors: [{ at: '0', reason }] },
  }),
  wrong_level: ({ level, notInLevel }) => ({
    code: 'bad_reorder',
    fields: { level, not_in_level: notInLevel },
  }),
  unknown_location: ({ locations }) => ({ code: 'unknown_location', fields: { locations } }),
  unknown_language: ({ languages }) => ({ code: 'unknown_language', fields: { languages } }),
  polylang_inactive: () => ({ code: 'polylang_inactive', fields: {} }),
}

const notStored = (readBack: Readonly<Record<string, unknown>>): ContractError => ({
  code: 'menu_assignment_not_stored',
  fields: { read_back: readBack },
})

const invalidParam = (name: string, rule: string): ContractError => ({
  code: 'rest_invalid_param',
  fields: { params: { [name]: rule } },
})

/** The contract's code and fields of a domain error. */
export function contractErrorOf<Kind extends DomainErrorKind>({
  kind,
  data,
}: DomainError<Kind>): ContractError {
  return CONTRACT_ERRORS[kind](data)
}

/** One sentence or more for each kind of domain error. */
export type DomainErrorSentences = {
  readonly [Kind in DomainErrorKind]: (data: DomainErrorData[Kind]) => string
}

/** The sentence of a domain error for the readers of one front end. */
export function describeDomainError<Kind extends DomainErrorKind>(
  { kind, data }: DomainError<Kind>,
  sentences: DomainErrorSentences,
): string {
  return sentences[kind](data)
}
