import { z } from 'zod'

/**
 * A field that is let through as it was sent, because a verb checks it in a code of its own.
 * @param meant what the document says of it, in words of JSON Schema
 */
export function rawField(meant: z.core.JSONSchema.BaseSchema) {
  return z.unknown().optional().meta(meant)
}
