import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import type { ErrorCode } from '../../errors.ts'
import { MAX_ANSWER_BYTES } from '../../idempotency/kept-answers.ts'
import { MAX_PLANNED_BYTES } from '../../planned-writes/planned-writes-table.ts'
import { TIMINGS } from '../../timings.ts'
import { MAX_LIST_HTML_BYTES } from '../frames/list-frames.endpoint.ts'
import { EntrySchema } from '../history/entry-schema.ts'
import { httpResponseOf } from '../http-errors.ts'
import { NamesSchema } from '../names.ts'
import { MAX_BODY_VALUES, MAX_LARGE_BODY_BYTES, MAX_OBJECT_MEMBERS } from '../request-body.ts'
import { WrittenThingSchema } from '../written-things-schema.ts'
import { type HeaderReferences, headerReferences } from './response-headers.ts'

/** The documentation of an error code: when it is returned, and with which fields. */
type CodeDescription = { readonly when: string; readonly fields?: z.ZodRawShape }

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
const ChangedThingSchema = z.object({
  ...WrittenThingSchema.omit({ action: true }).shape,
  entry: EntrySchema.nullable().describe('Its last change; null if another program has made it.'),
})
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

/** The documentation of every code. */
const CODE_DESCRIPTIONS: Record<ErrorCode, CodeDescription> = {
  missing_token: { when: 'The request has no token.' },
  invalid_token: { when: 'The token is unknown, revoked, expired or incomplete.' },
  too_many_auth_failures: {
    when: 'Too many requests without a valid token came from this address within a minute.',
    fields: { retry_after: retryAfterField },
  },
  too_many_requests: {
    when: 'The token, or without a valid token the address, has exceeded the limit of requests per minute.',
    fields: { retry_after: retryAfterField },
  },
  insufficient_role: { when: 'The caller is not an administrator of the chosen site.' },
  insufficient_scope: {
    when: 'The scope of the token does not include this endpoint.',
    fields: { scope: z.string(), required: z.string() },
  },
  site_not_found: {
    when: 'The site does not exist or, below `/site/{site_id}`, the caller is not one of its administrators.',
  },
  rest_invalid_json: { when: 'The body is not valid JSON.' },
  rest_body_too_large: {
    when: `The body exceeds the size limit of the endpoint, ${MAX_BODY_VALUES} values, or ${MAX_OBJECT_MEMBERS} members in one object.`,
  },
  rest_unsupported_media_type: {
    when: 'The body is not JSON in UTF-8, or its compression is not supported.',
  },
  rest_invalid_param: { when: 'A parameter is invalid.', fields: { params: paramsField } },
  rest_no_route: {
    when: 'No endpoint has this method and path, or the path is malformed.',
  },
  database_unavailable: {
    when: 'The database is unreachable. Retry in a few seconds.',
    fields: { retry_after: retryAfterField },
  },
  service_busy: {
    when: 'The service is overloaded, by this site or in total, or the old endpoint has to be asked about the token (`LEGACY_TOKENS`) and does not answer. Retry in a few seconds.',
    fields: { retry_after: retryAfterField },
  },
  legacy_loop: {
    when: 'The request was passed to the old endpoint and has come back: `LEGACY_URL` leads to this service.',
  },
  legacy_unavailable: {
    when: 'The old endpoint, which serves this request, did not answer. A write may have been stored: read the resource before you send it again.',
    fields: { retry_after: retryAfterField },
  },
  internal_error: {
    when: 'Unexpected server error; the log has the details under the request id.',
    fields: { request_id: z.string() },
  },
  gone: { when: 'Frame types and default frames were removed.' },
  internal_unavailable: {
    when: 'The executor did not respond. The write is stored, and is built as soon as an executor runs. Only `POST /frames/rebake` must be sent again.',
  },
  frame_not_found: { when: 'The site has no frame with this id or slug.' },
  frame_ref_required: { when: 'The path names no frame.' },
  frame_html_required: { when: 'The markup is missing, empty or not a string.' },
  frame_url_not_supported: { when: 'The body has a `url`, but frames have no URL.' },
  frame_ref_conflict: {
    when: 'Several keys of one insert name different frames.',
    fields: {
      conflicts: z.array(z.object({ key: z.string(), value: z.string() })),
      line: z.int(),
      column: z.int(),
    },
  },
  frame_charset_unsupported: {
    when: "The character set of the site's tables does not support a character of the markup.",
  },
  frame_too_large: {
    when: 'The markup is larger than 2 MB.',
    fields: { max_bytes: z.int().meta({ examples: [2_097_152] }), bytes: z.int() },
  },
  frame_unreadable: {
    when: 'The stored frame is damaged or has no markup; the message says how to fix it.',
    fields: {
      id: z.string().optional(),
      option: z.string().optional(),
      offset: z.int().optional(),
    },
  },
  unfiltered_html_required: {
    when: 'Only super administrators may write markup (`MARKUP_WRITERS`), and the caller is not one; or the token is known only from the old endpoint (`LEGACY_TOKENS`).',
  },
  site_quota_exceeded: {
    when: 'The markup of all frames of the site would exceed the limit `STORED_MB_PER_SITE`.',
    fields: {
      used_bytes: z.int().describe('Size before the write.'),
      wanted_bytes: z.int().describe('Size after the write.'),
      limit_bytes: z.int().meta({ examples: [536_870_912] }),
    },
  },
  invalid_slug: {
    when: 'The slug does not match the pattern.',
    fields: { pattern: z.string(), hint: z.string() },
  },
  slug_taken: {
    when: 'Another frame has the slug.',
    fields: {
      id: z.string().meta({
        description: 'Id of the frame that has the slug.',
        examples: ['5158798bd2006010'],
      }),
    },
  },
  nothing_to_update: { when: 'The body has no field to change.' },
  nothing_to_rebake: { when: 'The body selects nothing.' },
  page_required: { when: 'The page is missing.' },
  page_not_found: { when: 'The site has no such page.', fields: { page: pageRef.optional() } },
  ambiguous_page: {
    when: 'Several pages have the slug. `candidates` lists the first 50.',
    fields: { page: pageRef.optional(), candidates: PageCandidatesSchema },
  },
  menu_not_found: {
    when: 'The site has no such menu. `similar` is a known name or slug that is similar.',
    fields: { similar: z.string().optional() },
  },
  menu_not_assigned: { when: 'No menu is assigned to the location.' },
  ambiguous_menu: {
    when: 'Several menus have the name.',
    fields: {
      candidates: z.array(z.object({ id: z.int(), name: z.string(), slug: z.string() })),
    },
  },
  menu_name_required: { when: 'The menu has no name.' },
  menu_term_shared: {
    when: 'On an old site, the menu shares its term with another taxonomy, which would be renamed too. Save the menu once in WordPress.',
  },
  bad_items: {
    when: 'Some items are malformed, or the menu would exceed a limit.',
    fields: { errors: z.array(UnresolvedItemSchema), invalid: InvalidItemsSchema.optional() },
  },
  menu_items_unresolved: {
    when: 'An item references a page, an object or, with `keep`, an item that does not exist, or an ambiguous page.',
    fields: { errors: z.array(UnresolvedItemSchema), invalid: InvalidItemsSchema.optional() },
  },
  menu_items_invalid: {
    when: 'An item links a page that is not published; `allow_invalid` leaves such items out.',
    fields: { invalid: InvalidItemsSchema },
  },
  item_target_required: {
    when: 'The item links neither a page nor a URL, or a post or term that does not exist.',
  },
  item_not_found: { when: 'The menu has no such item.', fields: { id: z.int().optional() } },
  bad_parent: { when: 'The item would be below itself, or too deep.' },
  bad_reorder: {
    when: 'The list is not the ids of items of one level, each once.',
    fields: {
      errors: z.array(z.object(itemErrorFields)).optional(),
      level: z.array(z.int()).optional(),
      not_in_level: z.array(z.int()).optional(),
    },
  },
  bad_description: {
    when: 'The description of the network is invalid.',
    fields: {
      problems: z
        .array(z.object({ at: z.string(), message: z.string() }))
        .optional()
        .describe('The first 100 problems.'),
    },
  },
  location_required: {
    when: 'The location is missing. This endpoint cannot remove a menu from a location.',
  },
  unknown_location: {
    when: 'The location does not exist.',
    fields: { locations: z.array(z.string()).meta({ examples: [['header', 'footer_1']] }) },
  },
  unknown_language: {
    when: 'The site has no such language.',
    fields: { languages: z.array(z.string()).meta({ examples: [['en', 'fr']] }) },
  },
  polylang_inactive: { when: 'The request names a language, but the site has none.' },
  menu_assignment_not_stored: {
    when: 'The database stored another value than the one that was written; the write was rolled back.',
    fields: { read_back: z.record(z.string(), z.unknown()) },
  },
  plan_not_found: { when: 'There is no plan with this id.' },
  plan_not_ready: {
    when: 'The plan is not in a state in which this is possible: it is still planned or applied, or was not applied.',
  },
  plan_changed: {
    when: 'The write would do something else than when it was planned. Nothing was written.',
    fields: { plan: z.string().optional(), diffs: z.array(WrittenThingSchema) },
  },
  list_too_large: {
    when: 'A list that was asked for as a whole has more markup than a response takes. Ask for it in pages.',
    fields: { max_bytes: z.int().meta({ examples: [MAX_LIST_HTML_BYTES] }) },
  },
  plan_too_large: {
    when: 'The input is too large to be kept for a planned write (tools of MCP clients only).',
    fields: { max_bytes: z.int().meta({ examples: [MAX_PLANNED_BYTES] }) },
  },
  description_too_large: {
    when: 'The site has more than a plan takes, or takes too long to read. `wp-frames init` writes its description to files.',
    fields: { max_bytes: z.int().meta({ examples: [MAX_LARGE_BODY_BYTES] }) },
  },
  entry_not_found: {
    when: 'The history has no such entry, or the thing has no state there.',
  },
  user_not_found: { when: 'No user who may log in has this login.' },
  token_not_found: { when: 'There is no token with this id.' },
  webhook_not_found: { when: 'The site, or the network, has no webhook with this id.' },
  delivery_not_found: {
    when: 'The webhook has no delivery with this id any more, or nothing of it passes its filter now.',
  },
  too_many_webhooks: {
    when: 'The site, or the network, has as many webhooks as it can have.',
    fields: { limit: z.int() },
  },
  changed_since: {
    when: 'A restore with `if_unchanged` concerns things that were changed since. Nothing was restored.',
    fields: {
      changed_total: z.int(),
      changed: z.array(ChangedThingSchema).describe('At most 50.'),
      names: NamesSchema,
    },
  },
  restore_too_large: { when: 'The restore concerns too many things at once.' },
  examination_too_slow: {
    when: 'The examination of the site takes too long for a request. Run `wp-frames doctor` instead.',
  },
  fix_too_large: {
    when: 'A fix concerns too many findings for one request.',
    fields: { findings: z.int(), limit: z.int() },
  },
  idempotency_key_reused: {
    when: `The \`Idempotency-Key\` was used for another request in the last ${TIMINGS.idempotency.keptHours} hours.`,
  },
  idempotent_answer_too_large: {
    when: 'The response is too large to be kept for an `Idempotency-Key`. Nothing was written.',
    fields: { max_bytes: z.int().meta({ examples: [MAX_ANSWER_BYTES] }) },
  },
  engine_not_transactional: {
    when: 'A table of the site is not transactional (InnoDB), so it would keep what a dry run or preview writes. Nothing was written.',
  },
  table_unsupported: {
    when: 'A table of the site is not as WordPress makes it: what a write would store, or what a read would find, would be a guess. Nothing was written. `wp-frames doctor` says what to repair.',
    fields: { table: z.string().optional(), columns: z.array(z.string()).optional() },
  },
  page_has_no_frame: {
    when: 'The page to preview has no frame, or its frame was deleted. Name one in `assign`.',
  },
  preview_too_slow: {
    when: 'The preview takes too long, or waits too long for another writer of the site. Preview fewer things at once.',
  },
  batch_too_large: { when: 'The requests of the batch take too long. Send smaller batches.' },
  precondition_failed: {
    when: 'The current version does not satisfy If-Match or If-None-Match.',
    fields: {
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
    },
  },
  unknown_source: { when: 'The data source does not exist.' },
}

/** The responses for these errors, by status, with a schema for each code. */
export function errorResponses(
  codes: readonly ErrorCode[],
  headers: HeaderReferences,
): ZodOpenApiResponsesObject {
  const statuses = [...new Set(codes.map((code) => httpResponseOf(code).status))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const group = codes.filter((code) => httpResponseOf(code).status === status)
      return [
        status,
        {
          description: group
            .map((code) => `\`${code}\`: ${CODE_DESCRIPTIONS[code].when}`)
            .join('\n\n'),
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
  CODE_DESCRIPTIONS[code].fields?.retry_after !== undefined

const anyOf = (schemas: readonly z.ZodType[]): z.ZodType =>
  schemas.length > 1 ? z.union(schemas) : (schemas[0] ?? z.never())

/** The schema of an error's body in its shape; one component per code: `FrameNotFound`. */
function createSchema(code: ErrorCode): z.ZodType {
  const { status, shape } = httpResponseOf(code)
  const { when, fields: own = {} } = CODE_DESCRIPTIONS[code]
  const fields = {
    ...own,
    request: FailedRequestSchema.optional(),
    unsaved: FailedUnsavedSchema.optional(),
  }
  const message = z
    .string()
    .meta({ description: 'What happened and what to do, in English.', examples: [when] })
  const id = code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const body =
    shape === 'handler'
      ? z.object({ success: z.literal(false), error: z.literal(code), message, ...fields })
      : z.object({
          code: z.literal(code),
          message,
          data: z.object({ status: z.literal(status), ...fields }),
        })
  return body.meta({ id, description: when })
}

/** One schema per code, so that all responses with a code share its component. */
const SCHEMAS = Object.fromEntries(
  Object.keys(CODE_DESCRIPTIONS).map((code) => [code, createSchema(code as ErrorCode)]),
) as Record<ErrorCode, z.ZodType>
