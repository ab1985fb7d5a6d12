import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import { ERRORS, type ErrorCode, errorRow, type SharedSchemas } from '../../host/errors.ts'
import { field } from '../described.ts'
import { EntrySchema, WrittenThingSchema } from '../endpoints/history.ts'
import { NamesSchema } from '../names.ts'
import { type HeaderReferences, headerReferences } from './response-headers.ts'

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
export function errorResponses(
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
