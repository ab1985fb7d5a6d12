import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { AppError } from '../../errors.ts'
import {
  type ItemTree,
  MAX_CLASSES,
  MAX_CLASSES_LENGTH,
  MAX_ITEMS,
  MAX_LEVELS,
  MAX_TEXT_BYTES,
  MAX_URL_LENGTH,
  readTree,
} from '../../menus/item-tree.ts'
import { isThemeName, LOCATIONS } from '../../menus/locations.ts'
import { flag, objectBody, rawField } from '../fields.ts'

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
 * The body of a write of menus; a body that is not an object is ignored.
 * @param required fields without which the endpoint rejects the request, with an error code of its own
 */
export const bodyOf = <Shape extends z.ZodRawShape>(
  shape: Shape,
  ...required: (keyof Shape & string)[]
) => objectBody(shape, required, 'ignore')

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

const page = {
  type: ['string', 'integer'],
  description: 'A page: its id, slug or path.',
  examples: ['about-us/team'],
} satisfies oas31.SchemaObject

/** An item to be written, in words of JSON Schema (contract, section 2.6): `readTree` reads it, and says all that is wrong with it. */
export const ITEM_INPUT = {
  type: 'object',
  description: 'A menu item to be written: a page, or else an address.',
  properties: {
    page,
    url: {
      type: 'string',
      maxLength: MAX_URL_LENGTH,
      description:
        "A link; a path is completed with the site's address, unless an item of the menu has it so already.",
      examples: ['https://example.com/'],
    },
    title: {
      type: 'string',
      description: "By default the page's title, else the address.",
      examples: ['Team'],
    },
    target: { type: 'string', description: '`_blank`, or nothing.' },
    classes: {
      type: 'string',
      maxLength: MAX_CLASSES_LENGTH,
      description: `At most ${MAX_CLASSES}, separated by spaces.`,
    },
    children: {
      type: 'array',
      description: 'The items below it.',
      items: { anyOf: [{ $ref: '#/components/schemas/MenuItemInput' }, page] },
    },
  },
} satisfies oas31.SchemaObject

/** A tree of items. */
export const items = blankAsAbsent({
  type: 'array',
  description: `A tree of at most ${MAX_ITEMS} items on ${MAX_LEVELS} levels; a bare value is a link to a page.`,
  items: ITEM_INPUT.properties.children.items,
  examples: [
    [
      { page: 'about-us', children: ['about-us/team'] },
      { url: '/', title: 'Top' },
    ],
  ],
})

export const allowInvalid = flag(
  false,
  'Leave out items on pages that are not published, each with its branch, instead of refusing the tree.',
)

/**
 * The tree in `items`.
 * @throws AppError `bad_items` for what is no list; what is wrong in it is told with all the rest, when its pages are looked for
 */
export function readItems(items: unknown): ItemTree {
  if (Array.isArray(items)) return readTree(items)
  throw new AppError('bad_items', 'Send the items of the menu as a list in "items".', {
    errors: [{ at: '', reason: 'not_a_list', message: '"items" is a list of items.' }],
  })
}
