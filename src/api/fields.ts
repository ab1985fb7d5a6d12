import { z } from 'zod'

/**
 * A field that is let through as it was sent, because a verb checks it in a code of its own.
 * @param meant what the document says of it, in words of JSON Schema
 */
export function rawField(meant: z.core.JSONSchema.BaseSchema) {
  return z.unknown().optional().meta(meant)
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

/** A boolean in any of the spellings that WordPress's REST API takes (rest_sanitize_boolean, rest-api.php). */
export function flag(standard: boolean, description: string) {
  return rawField({ type: 'boolean', default: standard, description }).transform(
    (value, context) => {
      const word = typeof value === 'string' ? value.toLowerCase() : value
      const known = word === undefined || word === null ? standard : BOOLEAN_SPELLINGS.get(word)
      if (known !== undefined) return known
      context.addIssue({ code: 'custom', message: 'must be true or false' })
      return z.NEVER
    },
  )
}

/** `site_id` in answers. */
export const siteId = z.int().meta({ description: 'The site that was served.', examples: [2] })
