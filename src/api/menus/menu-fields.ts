import { z } from 'zod'
import { MAX_TEXT_BYTES } from '../../menus/tree.ts'

/** What was not sent: nothing, null and an empty text are one. */
const given = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

/** A field that a verb checks in a code of its own. */
export const anything = z.unknown().optional().transform(given)

/** A field of which an empty text says something; null does not. */
export const sent = z
  .unknown()
  .optional()
  .transform((value) => value ?? undefined)

/** A theme's `stylesheet`, the name of its folder: what is left of an option's 191 characters behind `theme_mods_`. */
export const theme = z
  .unknown()
  .optional()
  .transform(given)
  .pipe(
    z
      .string({ error: 'must be a text' })
      .trim()
      .max(180, 'must have at most 180 characters')
      .regex(/^[^\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]*$/u, 'must be the name of a folder')
      .optional(),
  )

/** A menu's slug as it is sent; a number is a text. */
export const slug = z
  .unknown()
  .optional()
  .transform((value) => given(typeof value === 'number' ? String(value) : value))
  .pipe(z.string({ error: 'must be a text' }).optional())

/** The id of an item, a number or its digits; 0 for none. */
export const ID = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int({ error: 'must be the id of an item' }).min(0, 'must be the id of an item'),
)

/** The id of an item, where there is one. */
export const itemId = z.unknown().optional().transform(given).pipe(ID.optional())

/** A text that null takes away. */
export const clearableText = z
  .unknown()
  .optional()
  .transform((value) => (value === null ? '' : typeof value === 'number' ? String(value) : value))
  .pipe(
    z
      .string({ error: 'must be a text' })
      .refine((value) => value.isWellFormed(), 'must be of whole characters')
      .refine(
        (value) => Buffer.byteLength(value) <= MAX_TEXT_BYTES,
        `must have at most ${MAX_TEXT_BYTES} bytes`,
      )
      .optional(),
  )

/** In `~header`, which language's menu is meant and which theme's; in the query or in the body (contract, section 2.5). */
export const scopeFields = { lang: anything, theme }

/** A body of these fields; a request without one has none of them. */
export function bodyOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(
    (body) => (typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}),
    z.object(shape),
  )
}

/** Query of the endpoints of one menu. */
export const ScopeQuerySchema = z.object(scopeFields)
