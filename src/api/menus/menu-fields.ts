import { z } from 'zod'
import { LOCATIONS, isThemeName } from '../../menus/locations.ts'
import { MAX_TEXT_BYTES } from '../../menus/item-tree.ts'
import { rawField } from '../unchecked.ts'

/** What was not sent: nothing, null and an empty text are one. */
const absentIfBlank = (value: unknown): unknown =>
  value === null || value === '' ? undefined : value

/** A field that a verb checks in a code of its own; an empty text is as good as none. */
export const blankAsAbsent = (meant: z.core.JSONSchema.BaseSchema) =>
  rawField(meant).transform(absentIfBlank)

/** A field of which an empty text says something; null does not. */
export const nullAsAbsent = (meant: z.core.JSONSchema.BaseSchema) =>
  rawField(meant).transform((value) => value ?? undefined)

export const location = blankAsAbsent({
  type: 'string',
  enum: [...LOCATIONS],
  description: 'A location of the theme.',
  examples: ['header'],
})

export const LANG: z.core.JSONSchema.BaseSchema = {
  type: 'string',
  description:
    "Code of one of the site's languages, on a site with Polylang; by default its default language.",
  examples: ['fr'],
}

export const lang = blankAsAbsent(LANG)

export const THEME: z.core.JSONSchema.BaseSchema = {
  type: 'string',
  maxLength: 180,
  description:
    "The theme whose map of locations is meant, by its folder; by default the site's own.",
  examples: ['opal'],
}

/** A theme's `stylesheet`. */
export const theme = blankAsAbsent(THEME).pipe(
  z
    .string({ error: 'must be a text' })
    .trim()
    .refine(isThemeName, 'must be the name of a folder, of 180 characters at most')
    .optional(),
)

export const name = blankAsAbsent({
  type: 'string',
  description: 'What the menu is called.',
  examples: ['Main menu'],
})

/** A menu's slug as it is sent; a number is a text. */
export const slug = rawField({
  type: 'string',
  description:
    'By default made of the name. One that is taken gets a number, with the warning `slug_changed`.',
  examples: ['main-menu'],
})
  .transform((value) => absentIfBlank(typeof value === 'number' ? String(value) : value))
  .pipe(
    z
      .string({ error: 'must be a text' })
      .refine(
        (value) => Buffer.byteLength(value) <= MAX_TEXT_BYTES,
        `must have at most ${MAX_TEXT_BYTES} bytes`,
      )
      .optional(),
  )

/** The id of an item, a number or its digits; 0 for none. */
export const ItemIdSchema = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int({ error: 'must be the id of an item' }).min(0, 'must be the id of an item'),
)

export const PARENT: z.core.JSONSchema.BaseSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Id of the item above; 0 for the top level.',
  examples: [0],
}

/** The id of the item above, where there is one. */
export const parent = blankAsAbsent(PARENT).pipe(ItemIdSchema.optional())

/** A text that null takes away. */
export const clearableText = (description: string, example: string) =>
  rawField({ type: ['string', 'null'], description, examples: [example] })
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
export const scopeFields = { lang, theme }

/**
 * A body of these fields; a request without one has none of them.
 * @param required those that a verb refuses to do without, in a code of its own
 */
export function bodyOf<Shape extends z.ZodRawShape>(
  shape: Shape,
  ...required: (keyof Shape & string)[]
) {
  return z.preprocess(
    (body) => (typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}),
    z.object(shape).meta(required.length > 0 ? { required } : {}),
  )
}

/** Query of the endpoints of one menu. */
export const ScopeQuerySchema = z.object(scopeFields)

/** Address of the endpoints of one menu. */
export const MenuParamsSchema = z.object({
  ref: z.string().meta({
    description:
      'A menu: its id, slug or name, or `~` and the location where it is set (`~header`; `@header` is the same), of which `lang` and `theme` choose one.',
    examples: ['~header'],
  }),
})

/** Address of the endpoints of one item. */
export const ItemParamsSchema = MenuParamsSchema.extend({
  id: z.string().meta({ type: 'integer', description: 'Id of an item.', examples: [41] }),
})
