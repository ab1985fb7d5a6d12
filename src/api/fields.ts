import { z } from 'zod'

/**
 * A field that is not validated here, because the endpoint rejects invalid values with an error code of its own.
 * @param documented the JSON Schema of the field in the document
 */
export function rawField(documented: z.core.JSONSchema.BaseSchema) {
  return z.unknown().optional().meta(documented)
}

const BOOLEAN_SPELLINGS = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
  ['', false],
])

/** A boolean in any spelling that WordPress's REST API accepts (rest_sanitize_boolean, rest-api.php). */
export function flag(defaultValue: boolean, description: string) {
  return rawField({ type: 'boolean', default: defaultValue, description }).transform(
    (value, context) => {
      const spelling = typeof value === 'string' ? value.toLowerCase() : value
      const known =
        spelling === undefined || spelling === null ? defaultValue : BOOLEAN_SPELLINGS.get(spelling)
      if (known !== undefined) return known
      context.addIssue({ code: 'custom', message: 'must be true or false' })
      return z.NEVER
    },
  )
}

/** `site_id` in responses. */
export const siteId = z.int().meta({ description: 'The site of the response.', examples: [2] })

/**
 * A body with these fields; a request without a body has none of them.
 * @param required fields without which the endpoint rejects the request, with an error code of its own
 * @param nonObject what to do with a body that is not an object: reject it, or ignore it
 */
export function objectBody<Shape extends z.ZodRawShape>(
  shape: Shape,
  required: readonly (keyof Shape & string)[],
  nonObject: 'reject' | 'ignore',
) {
  return z.preprocess(
    (body) => (nonObject === 'ignore' && !isPlainObject(body) ? {} : (body ?? {})),
    z.object(shape).meta(required.length > 0 ? { required: [...required] } : {}),
  )
}

const isPlainObject = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
