import { z } from 'zod'
import { TIMINGS } from './timings.ts'

const paramsField = z.record(z.string(), z.string()).meta({
  description: 'The invalid parameters, and what each one takes.',
  examples: [{ bake: 'must be true or false' }],
})
const retryAfterField = z.int().describe('Seconds, as in the header Retry-After.')
const itemErrorFields = { at: z.string(), reason: z.string(), message: z.string().optional() }
const PageCandidatesSchema = z.array(
  z.object({
    id: z.int(),
    path: z.string(),
    lang: z.string().nullable(),
    status: z.string(),
  }),
)
const pageRef = z.union([z.string(), z.int()])

const UnresolvedItemSchema = z.object({
  ...itemErrorFields,
  page: pageRef.optional(),
  candidates: PageCandidatesSchema.optional().describe(
    'Only at the first item that has candidates.',
  ),
  status: z.string().optional(),
})

const InvalidItemsSchema = z.array(
  z.object({
    at: z.string(),
    reason: z.enum(['page_not_published', 'parent_left_out']),
    message: z.string(),
    page: z.int().nullable(),
    status: z.string().optional(),
  }),
)

/** Schemas of the API that fields of errors have. */
export type SharedSchemas = {
  /** A thing that a write would change. */
  readonly thing: z.ZodType
  /** A thing that was changed since, with its last change. */
  readonly changed: z.ZodType
  readonly names: z.ZodType
}

/** A page that a reference may refer to, as shown in the contract. */
export type PageCandidate = {
  readonly id: number
  readonly path: string
  readonly lang: string | null
  readonly status: string
}
type PagesFound = {
  readonly ref: string | number
  /** Number of pages that match; `candidates` lists the first of them. */
  readonly total: number
  readonly candidates: readonly PageCandidate[]
}
type MenuCandidate = { readonly id: number; readonly name: string; readonly slug: string }
/** The item errors of a tree, in the contract's shape, and the items that lead visitors nowhere. */
type ItemErrors = { readonly errors: readonly object[]; readonly invalid?: readonly object[] }
type Nothing = Readonly<Record<string, never>>

/** All that is known of an error code. */
type ErrorRow = {
  /** Of HTTP. */
  readonly status: number
  /** Before an endpoint runs: token, rate, site, body, route. The body then has the shape of WordPress's REST API. */
  readonly early?: true
  /** When it is returned. */
  readonly when: string
  /** The schemas of its fields. */
  readonly fields?: (shared: SharedSchemas) => z.ZodRawShape
  /** What the caller reads, if it is the same wherever the error is thrown. Data with the name of a field is in the response. */
  readonly sentence?: (data: never) => string
}

/** The error codes of the API and of `--json`. The router, the documentation, the commands and MCP read this table. */
export const ERRORS = {
  missing_token: { status: 401, early: true, when: 'The request has no token.' },
  invalid_token: {
    status: 401,
    early: true,
    when: 'The token is unknown, revoked, expired or incomplete.',
  },
  too_many_auth_failures: {
    status: 429,
    early: true,
    when: 'Too many requests without a valid token came from this address within a minute.',
    fields: () => ({ retry_after: retryAfterField }),
  },
  too_many_requests: {
    status: 429,
    early: true,
    when: 'The token, or without a valid token the address, has exceeded the limit of requests per minute.',
    fields: () => ({ retry_after: retryAfterField }),
  },
  insufficient_role: {
    status: 403,
    early: true,
    when: 'The caller is not an administrator of the chosen site.',
  },
  insufficient_scope: {
    status: 403,
    early: true,
    when: 'The scope of the token does not include this endpoint.',
    fields: () => ({ scope: z.string(), required: z.string() }),
  },
  site_not_found: {
    status: 404,
    early: true,
    when: 'The site does not exist or, below `/site/{site_id}`, the caller is not one of its administrators.',
  },
  rest_invalid_json: { status: 400, early: true, when: 'The body is not valid JSON.' },
  rest_body_too_large: {
    status: 413,
    early: true,
    when: 'The body exceeds the size limit of the endpoint, or has more values, or more members in one object, than a request takes.',
  },
  rest_unsupported_media_type: {
    status: 415,
    early: true,
    when: 'The body is not JSON in UTF-8, or its compression is not supported.',
  },
  rest_invalid_param: {
    status: 400,
    early: true,
    when: 'A parameter is invalid.',
    fields: () => ({ params: paramsField }),
  },
  rest_no_route: {
    status: 404,
    early: true,
    when: 'No endpoint has this method and path, or the path is malformed.',
  },
  database_unavailable: {
    status: 503,
    early: true,
    when: 'The database is unreachable. Retry in a few seconds.',
    fields: () => ({ retry_after: retryAfterField }),
  },
  service_busy: {
    status: 503,
    early: true,
    when: 'The service is overloaded, by this site or in total, or the old endpoint has to be asked about the token (`LEGACY_TOKENS`) and does not answer. Retry in a few seconds.',
    fields: () => ({ retry_after: retryAfterField }),
  },
  legacy_loop: {
    status: 508,
    early: true,
    when: 'The request was passed to the old endpoint and has come back: `LEGACY_URL` leads to this service.',
  },
  legacy_unavailable: {
    status: 502,
    early: true,
    when: 'The old endpoint, which serves this request, did not answer. A write may have been stored: read the resource before you send it again.',
    fields: () => ({ retry_after: retryAfterField }),
  },
  internal_error: {
    status: 500,
    early: true,
    when: 'Unexpected server error; the log has the details under the request id.',
    fields: () => ({ request_id: z.string() }),
  },
  gone: { status: 410, when: 'Frame types and default frames were removed.' },
  internal_unavailable: {
    status: 502,
    when: 'The executor did not respond. The write is stored, and is built as soon as an executor runs; so are the frames that `POST /frames/rebake` has chosen.',
  },
  frame_not_found: { status: 404, when: 'The site has no frame with this id or slug.' },
  frame_ref_required: { status: 400, when: 'The path names no frame.' },
  frame_html_required: { status: 400, when: 'The markup is missing, empty or not a string.' },
  frame_url_not_supported: { status: 400, when: 'The body has a `url`, but frames have no URL.' },
  frame_ref_conflict: {
    status: 400,
    when: 'Several keys of one insert name different frames.',
    fields: () => ({
      conflicts: z.array(z.object({ key: z.string(), value: z.string() })),
      line: z.int(),
      column: z.int(),
    }),
  },
  frame_charset_unsupported: {
    status: 400,
    when: "The character set of the site's tables does not support a character of the markup.",
  },
  frame_too_large: {
    status: 413,
    when: 'The markup is larger than 2 MB.',
    fields: () => ({ max_bytes: z.int().meta({ examples: [2_097_152] }), bytes: z.int() }),
  },
  frame_unreadable: {
    status: 500,
    when: 'The stored frame is damaged or has no markup; the message says how to fix it.',
    fields: () => ({
      id: z.string().optional(),
      option: z.string().optional(),
      offset: z.int().optional(),
    }),
  },
  unfiltered_html_required: {
    status: 403,
    when: 'Only super administrators may write markup (`MARKUP_WRITERS`), and the caller is not one; or the token is known only from the old endpoint (`LEGACY_TOKENS`).',
  },
  site_quota_exceeded: {
    status: 413,
    when: 'The markup of all frames of the site would exceed the limit `STORED_MB_PER_SITE`.',
    fields: () => ({
      used_bytes: z.int().describe('Size before the write.'),
      wanted_bytes: z.int().describe('Size after the write.'),
      limit_bytes: z.int().meta({ examples: [536_870_912] }),
    }),
  },
  invalid_slug: {
    status: 400,
    when: 'The slug does not match the pattern.',
    fields: () => ({ pattern: z.string(), hint: z.string() }),
  },
  slug_taken: {
    status: 409,
    when: 'Another frame has the slug.',
    fields: () => ({
      id: z.string().meta({
        description: 'Id of the frame that has the slug.',
        examples: ['5158798bd2006010'],
      }),
    }),
  },
  nothing_to_update: { status: 400, when: 'The body has no field to change.' },
  nothing_to_rebake: { status: 400, when: 'The body selects nothing.' },
  page_required: { status: 400, when: 'The page is missing.' },
  page_not_found: {
    status: 404,
    when: 'The site has no such page.',
    fields: () => ({ page: pageRef.optional() }),
    sentence: ({ ref }: { ref: string | number }) => `This site has no page "${ref}".`,
  },
  ambiguous_page: {
    status: 409,
    when: 'Several pages have the slug. `candidates` lists the first 50.',
    fields: () => ({ page: pageRef.optional(), candidates: PageCandidatesSchema }),
    sentence: ({ ref, total, candidates }: PagesFound) =>
      `${total} pages match "${ref}". Name one by its id or its full path.${
        candidates.length < total ? ` Only the first ${candidates.length} are listed.` : ''
      }`,
  },
  menu_not_found: {
    status: 404,
    when: 'The site has no such menu. `similar` is a known name or slug that is similar.',
    fields: () => ({ similar: z.string().optional() }),
    sentence: ({ ref, similar }: { ref: string | number; similar?: string | undefined }) =>
      `This site has no menu "${ref}".${similar === undefined ? '' : ` Did you mean "${similar}"?`} Name it by its id, slug or name, or by a location, as in ~header.`,
  },
  menu_not_assigned: {
    status: 404,
    when: 'No menu is assigned to the location.',
    sentence: ({
      location,
      lang,
      theme,
    }: {
      location: string
      lang: string | undefined
      theme: string
    }) =>
      `No menu is assigned to the location "${location}"${lang === undefined ? '' : ` in the language "${lang}"`} of the theme "${theme}".`,
  },
  ambiguous_menu: {
    status: 409,
    when: 'Several menus have the name.',
    fields: () => ({
      candidates: z.array(z.object({ id: z.int(), name: z.string(), slug: z.string() })),
    }),
    sentence: ({
      ref,
      candidates,
    }: {
      ref: string | number
      candidates: readonly MenuCandidate[]
    }) => `${candidates.length} menus match "${ref}". Name one by its id or its slug.`,
  },
  menu_name_required: {
    status: 400,
    when: 'The menu has no name.',
    sentence: (_: Nothing) => 'A menu needs a name. Send it as a text in "name".',
  },
  menu_term_shared: {
    status: 409,
    when: 'On an old site, the menu shares its term with another taxonomy, which would be renamed too. Save the menu once in WordPress.',
    sentence: ({ taxonomy }: { taxonomy: string }) =>
      `The menu shares its term with the taxonomy "${taxonomy}", whose term would be renamed too. Save the menu once in WordPress (Appearance, Menus), which splits the term, and try again with the new id.`,
  },
  bad_items: {
    status: 400,
    when: 'Some items are malformed, or the menu would exceed a limit.',
    fields: () => ({
      errors: z.array(UnresolvedItemSchema),
      invalid: InvalidItemsSchema.optional(),
    }),
    sentence: (_: ItemErrors) =>
      'Some items are malformed, so nothing was written. "errors" lists each item and its problem.',
  },
  menu_items_unresolved: {
    status: 409,
    when: 'An item references a page, an object or, with `keep`, an item that does not exist, or an ambiguous page.',
    fields: () => ({
      errors: z.array(UnresolvedItemSchema),
      invalid: InvalidItemsSchema.optional(),
    }),
    sentence: (_: ItemErrors) =>
      'Some items name a page that does not exist or is ambiguous, so nothing was written. "errors" lists these items.',
  },
  menu_items_invalid: {
    status: 409,
    when: 'An item links a page that is not published; `allow_invalid` leaves such items out.',
    fields: () => ({ invalid: InvalidItemsSchema }),
    sentence: (_: { invalid: readonly object[] }) =>
      'Some items link a page that is not published, so nothing was written. Publish the page, or leave these items out; where a whole tree is sent, "allow_invalid" does that.',
  },
  item_target_required: {
    status: 400,
    when: 'The item links neither a page nor a URL, or a post or term that does not exist.',
  },
  item_not_found: {
    status: 404,
    when: 'The menu has no such item.',
    fields: () => ({ id: z.int().optional() }),
    sentence: ({ id }: { id: number }) => `This menu has no item ${id}.`,
  },
  bad_parent: { status: 409, when: 'The item would be below itself, or too deep.' },
  bad_reorder: {
    status: 400,
    when: 'The list is not the ids of items of one level, each once.',
    fields: () => ({
      errors: z.array(z.object(itemErrorFields)).optional(),
      level: z.array(z.int()).optional(),
      not_in_level: z.array(z.int()).optional(),
    }),
    sentence: ({ level }: { level: readonly number[]; not_in_level: readonly number[] }) =>
      `The list "order" must have items of one level, each once. The items of this level: ${level.join(', ') || 'none'}.`,
  },
  bad_description: {
    status: 400,
    when: 'The description of the network is invalid.',
    fields: () => ({
      problems: z
        .array(z.object({ at: z.string(), message: z.string() }))
        .optional()
        .describe('The first 100 problems.'),
    }),
  },
  location_required: {
    status: 400,
    when: 'The location is missing. This endpoint cannot remove a menu from a location.',
  },
  unknown_location: {
    status: 400,
    when: 'The location does not exist.',
    fields: () => ({ locations: z.array(z.string()).meta({ examples: [['header', 'footer_1']] }) }),
    sentence: ({ locations }: { locations: readonly string[] }) =>
      `Unknown location. A menu can be assigned to ${locations.join(', ')}.`,
  },
  unknown_language: {
    status: 400,
    when: 'The site has no such language.',
    fields: () => ({ languages: z.array(z.string()).meta({ examples: [['en', 'fr']] }) }),
    sentence: ({ languages }: { languages: readonly string[] }) =>
      `Unknown language. The languages of this site: ${languages.join(', ') || 'none'}.`,
  },
  polylang_inactive: {
    status: 409,
    when: 'The request names a language, but the site has none.',
    sentence: (_: Nothing) =>
      'Polylang is not active on this site, so its menus have no languages. Leave "lang" out.',
  },
  menu_assignment_not_stored: {
    status: 500,
    when: 'The database stored another value than the one that was written; the write was rolled back.',
    fields: () => ({ read_back: z.record(z.string(), z.unknown()) }),
  },
  unknown_source: { status: 404, when: 'The data source does not exist.' },
  precondition_failed: {
    status: 412,
    when: 'The current version does not satisfy If-Match or If-None-Match.',
    fields: () => ({
      updated_by: z.int().nullable().optional().describe('Id of the user who changed it last.'),
      updated_at_gmt: z
        .string()
        .nullable()
        .optional()
        .meta({ examples: ['2026-03-01 09:30:00'] }),
      etag: z
        .string()
        .optional()
        .meta({
          description: 'The current version; missing if the frame or menu does not exist.',
          examples: ['"Yh3Qw0bXrV1c2Zk9LmNpSa"'],
        }),
    }),
  },
  entry_not_found: {
    status: 404,
    when: 'The history has no such entry, or the thing has no state there.',
  },
  plan_not_found: { status: 404, when: 'There is no plan with this id.' },
  plan_not_ready: {
    status: 409,
    when: 'The plan is not in a state in which this is possible: it is still planned or applied, or was not applied.',
  },
  plan_changed: {
    status: 409,
    when: 'The write would do something else than when it was planned. Nothing was written.',
    fields: ({ thing }) => ({ plan: z.string().optional(), diffs: z.array(thing) }),
  },
  list_too_large: {
    status: 413,
    when: 'A list that was asked for as a whole has more markup than a response takes. Ask for it in pages.',
    fields: () => ({ max_bytes: z.int().meta({ examples: [8_388_608] }) }),
  },
  menu_too_large: {
    status: 413,
    when: 'The items of a menu, or those of all menus that the frames of the site show, have more text than is read. Shorten it in WordPress.',
    fields: () => ({ max_bytes: z.int().meta({ examples: [33_554_432] }) }),
  },
  plan_too_large: {
    status: 413,
    when: 'The input is too large to be kept for a planned write (tools of MCP clients only).',
    fields: () => ({ max_bytes: z.int().meta({ examples: [1_048_576] }) }),
  },
  description_too_large: {
    status: 413,
    when: 'The site has more than a plan takes, or takes too long to read. `wp-frames init` writes its description to files.',
    fields: () => ({ max_bytes: z.int().meta({ examples: [16_777_216] }) }),
  },
  changed_since: {
    status: 409,
    when: 'A restore with `if_unchanged` concerns things that were changed since. Nothing was restored.',
    fields: ({ changed, names }) => ({
      changed_total: z.int(),
      changed: z.array(changed).describe('At most 50.'),
      names,
    }),
  },
  restore_too_large: { status: 413, when: 'The restore concerns too many things at once.' },
  examination_too_slow: {
    status: 413,
    when: 'The examination of the site takes too long for a request. Run `wp-frames doctor` instead.',
  },
  fix_too_large: {
    status: 413,
    when: 'A fix concerns too many findings for one request.',
    fields: () => ({ findings: z.int(), limit: z.int() }),
  },
  batch_too_large: {
    status: 413,
    when: 'The requests of the batch take too long. Send smaller batches.',
  },
  engine_not_transactional: {
    status: 409,
    when: 'A table of the site is not transactional (InnoDB), so it would keep what a dry run or preview writes. Nothing was written.',
  },
  table_unsupported: {
    status: 409,
    when: 'A table of the site is not as WordPress makes it: what a write would store, or what a read would find, would be a guess. Nothing was written. `wp-frames doctor` says what to repair.',
    fields: () => ({ table: z.string().optional(), columns: z.array(z.string()).optional() }),
  },
  page_has_no_frame: {
    status: 409,
    when: 'The page to preview has no frame, or its frame was deleted. Name one in `assign`.',
  },
  preview_too_slow: {
    status: 413,
    when: 'The preview takes too long, or waits too long for another writer of the site. Preview fewer things at once.',
  },
  idempotency_key_reused: {
    status: 409,
    when: `The \`Idempotency-Key\` was used for another request in the last ${TIMINGS.idempotency.keptHours} hours.`,
  },
  idempotent_answer_too_large: {
    status: 413,
    when: 'The response is too large to be kept for an `Idempotency-Key`. Nothing was written.',
    fields: () => ({ max_bytes: z.int().meta({ examples: [262_144] }) }),
  },
  user_not_found: { status: 404, when: 'No user who may log in has this login.' },
  token_not_found: { status: 404, when: 'There is no token with this id.' },
  webhook_not_found: {
    status: 404,
    when: 'The site, or the network, has no webhook with this id.',
  },
  delivery_not_found: {
    status: 404,
    when: 'The webhook has no delivery with this id any more, or nothing of it passes its filter now.',
  },
  too_many_webhooks: {
    status: 409,
    when: 'The site, or the network, has as many webhooks as it can have.',
    fields: () => ({ limit: z.int() }),
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

/** All that is known of a code. */
export const errorRow = (code: ErrorCode): ErrorRow => ERRORS[code]

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

/** The codes whose sentence is in the table, with the data of each. */
type Sentences = {
  [Code in ErrorCode as (typeof ERRORS)[Code] extends { sentence: unknown }
    ? Code
    : never]: (typeof ERRORS)[Code] extends { sentence: (data: infer Data) => string }
    ? Data
    : never
}

/** The error of a code whose sentence is in the table. */
export function errorOf<Code extends keyof Sentences>(code: Code, data: Sentences[Code]): AppError {
  const { sentence, fields } = ERRORS[code] as ErrorRow
  const named = new Set(Object.keys(fields?.(ANY_SCHEMAS) ?? {}))
  const shown = Object.entries(data as object).filter(
    ([name, value]) => named.has(name) && value !== undefined,
  )
  return new AppError(code, sentence?.(data as never) ?? '', Object.fromEntries(shown))
}

const ANY_SCHEMAS: SharedSchemas = { thing: z.any(), changed: z.any(), names: z.any() }
