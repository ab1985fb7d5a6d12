import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import type { ErrorCode } from '../../errors.ts'
import { httpResponseOf } from '../http-errors.ts'
import { MAX_BODY_VALUES, MAX_OBJECT_MEMBERS } from '../request-body.ts'
import { type HeaderReferences, headerReferences } from './response-headers.ts'

/** What the document says of a code: when it is answered, and the fields that come with it. */
export type CodeDescription = { readonly when: string; readonly fields?: z.ZodRawShape }

const paramsField = z.record(z.string(), z.string()).meta({
  description: 'Each parameter that is wrong, and what it takes.',
  examples: [{ bake: 'must be true or false' }],
})
const retryAfterField = z.int().describe('Seconds; as in the header Retry-After.')
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
  candidates: PageCandidatesSchema.optional().describe('At the first item that has these.'),
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

/** Every code, as the document describes it. */
export const CODE_DESCRIPTIONS: Record<ErrorCode, CodeDescription> = {
  missing_token: { when: 'No token was sent.' },
  invalid_token: { when: 'The token is unknown, revoked, expired or cut short.' },
  too_many_auth_failures: {
    when: 'Too many requests without a valid token came from this address within a minute.',
    fields: { retry_after: retryAfterField },
  },
  too_many_requests: {
    when: 'More requests within a minute than a token may send.',
    fields: { retry_after: retryAfterField },
  },
  insufficient_role: { when: 'The caller is no administrator of the chosen site.' },
  site_not_found: {
    when: 'There is no such site; below `/site/{site_id}` also one of which the caller is no administrator.',
  },
  rest_invalid_json: { when: 'The body is not readable as JSON.' },
  rest_body_too_large: {
    when: `The body is larger than the endpoint takes, or holds more than ${MAX_BODY_VALUES} values or ${MAX_OBJECT_MEMBERS} members in one object.`,
  },
  rest_unsupported_media_type: { when: 'The body is not sent as JSON in UTF-8.' },
  rest_invalid_param: { when: 'A parameter has the wrong type.', fields: { params: paramsField } },
  rest_no_route: {
    when: 'There is no endpoint of this path and method, or the path is not readable.',
  },
  database_unavailable: {
    when: 'The database is away. Try again in a few seconds.',
    fields: { retry_after: retryAfterField },
  },
  service_busy: {
    when: 'The service has too much other work: of this site, or in all. Try again in a few seconds.',
    fields: { retry_after: retryAfterField },
  },
  internal_error: {
    when: 'Something unforeseen happened; the operator finds it in the log by the request id.',
    fields: { request_id: z.string() },
  },
  gone: { when: 'Frames have no types and no defaults any more.' },
  internal_unavailable: {
    when: 'The executor did not answer. What was written stays written; bake it later.',
  },
  frame_not_found: { when: 'The site has no frame with this id or slug.' },
  frame_ref_required: { when: 'The address names no frame.' },
  frame_html_required: { when: 'The markup is missing or no text.' },
  frame_url_not_supported: { when: 'The body holds a `url`: a frame has no address.' },
  frame_ref_conflict: {
    when: 'One insert names different frames by several keys.',
    fields: {
      conflicts: z.array(z.object({ key: z.string(), value: z.string() })),
      line: z.int(),
      column: z.int(),
    },
  },
  frame_charset_unsupported: { when: "The site's tables cannot hold a character of the markup." },
  frame_too_large: {
    when: 'The markup has more than 2 MB.',
    fields: { max_bytes: z.int().meta({ examples: [2_097_152] }), bytes: z.int() },
  },
  frame_unreadable: {
    when: 'What is stored is damaged, or holds no markup; the message says how to mend it.',
    fields: {
      id: z.string().optional(),
      option: z.string().optional(),
      offset: z.int().optional(),
    },
  },
  unfiltered_html_required: {
    when: 'The operator lets only super administrators write markup (`MARKUP_WRITERS`), and the caller is none.',
  },
  site_quota_exceeded: {
    when: 'All frames of the site together would have more markup than the operator allows (`STORED_MB_PER_SITE`).',
    fields: {
      used_bytes: z.int().describe('Before the write.'),
      wanted_bytes: z.int().describe('With the write.'),
      limit_bytes: z.int().meta({ examples: [536_870_912] }),
    },
  },
  invalid_slug: {
    when: 'The slug does not follow the pattern.',
    fields: { pattern: z.string(), hint: z.string() },
  },
  slug_taken: {
    when: 'Another frame bears the slug.',
    fields: {
      id: z.string().meta({
        description: 'Of the frame that bears it.',
        examples: ['5158798bd2006010'],
      }),
    },
  },
  nothing_to_update: { when: 'The body names nothing that can be changed.' },
  nothing_to_rebake: { when: 'The body selects nothing.' },
  page_required: { when: 'No page is named.' },
  page_not_found: { when: 'The site has no such page.', fields: { page: pageRef.optional() } },
  ambiguous_page: {
    when: 'Several pages bear the slug. The first 50 are listed.',
    fields: { page: pageRef.optional(), candidates: PageCandidatesSchema },
  },
  menu_not_found: { when: 'The site has no such menu.' },
  menu_not_assigned: { when: 'No menu is set at the location.' },
  ambiguous_menu: {
    when: 'Several menus bear the name.',
    fields: {
      candidates: z.array(z.object({ id: z.int(), name: z.string(), slug: z.string() })),
    },
  },
  menu_name_required: { when: 'The menu has no name.' },
  bad_items: {
    when: 'These are not the items of a menu.',
    fields: { errors: z.array(UnresolvedItemSchema), invalid: InvalidItemsSchema.optional() },
  },
  menu_items_unresolved: {
    when: 'Items name a page that the site has not, or several.',
    fields: { errors: z.array(UnresolvedItemSchema), invalid: InvalidItemsSchema.optional() },
  },
  menu_items_invalid: {
    when: 'Items link a page that is not published; `allow_invalid` leaves them out.',
    fields: { invalid: InvalidItemsSchema },
  },
  item_target_required: { when: 'The item links neither a page nor an address.' },
  item_not_found: { when: 'The menu has no such item.', fields: { id: z.int().optional() } },
  bad_parent: { when: 'The item would stand below itself, or too deep.' },
  bad_reorder: {
    when: 'These are not the ids of items of one level, each once.',
    fields: {
      errors: z.array(z.object(itemErrorFields)).optional(),
      level: z.array(z.int()).optional(),
      not_in_level: z.array(z.int()).optional(),
    },
  },
  location_required: { when: 'No location is named. A menu is not taken off a location here.' },
  unknown_location: {
    when: 'There is no such location.',
    fields: { locations: z.array(z.string()).meta({ examples: [['header', 'footer_1']] }) },
  },
  unknown_language: {
    when: 'The site has no such language.',
    fields: { languages: z.array(z.string()).meta({ examples: [['en', 'fr']] }) },
  },
  polylang_inactive: { when: 'A language is named, and the site has none.' },
  menu_assignment_not_stored: {
    when: 'What was read back is not what was written; nothing was changed.',
    fields: { read_back: z.record(z.string(), z.unknown()) },
  },
  precondition_failed: {
    when: 'It is not in the version that If-Match or If-None-Match asks for.',
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
          description: 'How it stands now; missing where it is not there.',
          examples: ['"Yh3Qw0bXrV1c2Zk9LmNpSa"'],
        }),
    },
  },
  unknown_source: { when: 'There is no such data source.' },
}

/** The responses of these refusals, by status, each with the shapes of its codes. */
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
          content: { 'application/json': { schema: anyOf(group.map(schemaOf)) } },
        },
      ]
    }),
  )
}

const hasRetryAfter = (code: ErrorCode): boolean =>
  CODE_DESCRIPTIONS[code].fields?.retry_after !== undefined

const anyOf = (schemas: readonly z.ZodType[]): z.ZodType =>
  schemas.length > 1 ? z.union(schemas) : (schemas[0] ?? z.never())

const schemas = new Map<ErrorCode, z.ZodType>()

/** A refusal's body in its shape (contract, section 7); one component a code: `FrameNotFound`. */
function schemaOf(code: ErrorCode): z.ZodType {
  const schema = schemas.get(code) ?? createSchema(code)
  schemas.set(code, schema)
  return schema
}

function createSchema(code: ErrorCode): z.ZodType {
  const { status, shape } = httpResponseOf(code)
  const { when, fields = {} } = CODE_DESCRIPTIONS[code]
  const message = z
    .string()
    .meta({ description: 'What was found and what to do, in English.', examples: [when] })
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
