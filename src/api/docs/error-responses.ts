import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import type { ErrorCode } from '../../errors.ts'
import { httpResponseOf } from '../http-errors.ts'
import { CODE_DESCRIPTIONS } from './error-codes.ts'
import { type HeaderReferences, headerReferences } from './response-headers.ts'

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
