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
import { listOf } from '../../php-list.ts'
import { flag, objectBody, rawField } from '../fields.ts'

/** Treats undefined, null and an empty text as absent. */
const absentIfBlank = (value: unknown): unknown =>
  value === null || value === '' ? undefined : value

/** A field that the endpoint validates itself, with its own error code. Undefined, null and an empty text are absent. */
export const blankAsAbsent = (schema: z.core.JSONSchema.BaseSchema) =>
  rawField(schema).transform(absentIfBlank)

/** A field in which an empty text has a meaning. Undefined and null are absent. */
export const nullAsAbsent = (schema: z.core.JSONSchema.BaseSchema) =>
  rawField(schema).transform((value) => value ?? undefined)

export const locationField = blankAsAbsent({
  type: 'string',
  enum: [...LOCATIONS],
  description: 'A location of the theme.',
  examples: ['header'],
})

export const LANG_SCHEMA: z.core.JSONSchema.BaseSchema = {
  type: 'string',
  description:
    "Code of one of the site's languages, on a site with Polylang; by default its default language.",
  examples: ['fr'],
}

/** A code of a language. Another value becomes its JSON, which is the code of none, so that `unknown_language` lists those there are. */
export const languageField = (schema: z.core.JSONSchema.BaseSchema) =>
  blankAsAbsent(schema).transform((value): string | undefined =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )

export const langField = languageField(LANG_SCHEMA)

export const THEME_SCHEMA: z.core.JSONSchema.BaseSchema = {
  type: 'string',
  maxLength: 180,
  description:
    'The theme whose locations are meant, by its folder name; by default the active theme.',
  examples: ['opal'],
}

/** A theme's `stylesheet`. */
export const themeField = blankAsAbsent(THEME_SCHEMA).pipe(
  z
    .string({ error: 'must be a text' })
    .trim()
    .refine(isThemeName, 'must be a folder name of at most 180 characters')
    .optional(),
)

export const nameField = blankAsAbsent({
  type: 'string',
  description: 'Name of the menu.',
  examples: ['Main menu'],
})

/** A menu's slug; a number is accepted as a text. */
export const slugField = rawField({
  type: 'string',
  description:
    'By default derived from the name. If the slug is taken, a number is appended, with the warning `slug_changed`.',
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

/** The id of an item, as a number or as digits; 0 for none. */
export const ItemIdSchema = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int({ error: 'must be the id of an item' }).min(0, 'must be the id of an item'),
)

export const PARENT_SCHEMA: z.core.JSONSchema.BaseSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Id of the parent item; 0 for the top level.',
  examples: [0],
}

/** The id of the parent item, if sent. */
export const parentField = blankAsAbsent(PARENT_SCHEMA).pipe(ItemIdSchema.optional())

/** Not in the tools of models, see `src/mcp/tool-schemas.ts`. */
export const RARE = { 'x-rare': true } as const

/** A text that null clears. */
export const clearableText = (description: string, example: string, more: object = {}) =>
  rawField({ ...more, type: ['string', 'null'], description, examples: [example] })
    .transform((value) => (value === null ? '' : typeof value === 'number' ? String(value) : value))
    .pipe(
      z
        .string({ error: 'must be a text' })
        .refine((value) => value.isWellFormed(), 'must be of valid Unicode characters')
        .refine(
          (value) => Buffer.byteLength(value) <= MAX_TEXT_BYTES,
          `must have at most ${MAX_TEXT_BYTES} bytes`,
        )
        .optional(),
    )

/** The language and the theme of a location reference such as `~header`; in the query or in the body. */
export const scopeFields = { lang: langField, theme: themeField }

/**
 * The body of a write of menus.
 * @param required fields without which the endpoint rejects the request, with an error code of its own
 */
export const bodyOf = <Shape extends z.ZodRawShape>(
  shape: Shape,
  ...required: (keyof Shape & string)[]
) => objectBody(shape, required)

/** Query of the endpoints that write one menu. */
export const ScopeQuerySchema = z.object(scopeFields)

/** Path parameters of the endpoints of one menu. */
export const MenuParamsSchema = z.object({
  ref: z.string().meta({
    description:
      'A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme.',
    examples: ['~header'],
  }),
})

/** Path parameters of the endpoints of one item. */
export const ItemParamsSchema = MenuParamsSchema.extend({
  id: z.string().meta({ type: 'integer', description: 'Id of an item.', examples: [41] }),
})

const PAGE_SCHEMA = {
  type: ['string', 'integer'],
  description: 'A page: its id, slug or path.',
  examples: ['about-us/team'],
} satisfies oas31.SchemaObject

/** JSON Schema of an item to be written, for the documentation. `readTree` validates items and reports all problems. */
export const ITEM_INPUT_SCHEMA = {
  type: 'object',
  description: 'A menu item to be written, which links a page or an address.',
  properties: {
    page: PAGE_SCHEMA,
    url: {
      type: 'string',
      maxLength: MAX_URL_LENGTH,
      description:
        "An address. A path is prefixed with the site's address, unless an item of the menu has the same path already.",
      examples: ['https://example.com/'],
    },
    title: {
      type: 'string',
      description: 'By default the title of the page, or the address.',
      examples: ['Team'],
    },
    target: { type: 'string', description: '`_blank`, or empty.' },
    classes: {
      type: 'string',
      maxLength: MAX_CLASSES_LENGTH,
      description: `At most ${MAX_CLASSES}, separated by spaces.`,
    },
    xfn: { ...RARE, type: 'string', description: 'Link relations, separated by spaces.' },
    attr_title: { ...RARE, type: 'string', description: "The link's `title` attribute." },
    description: { ...RARE, type: 'string', description: 'HTML.' },
    type: {
      ...RARE,
      type: 'string',
      enum: ['post_type', 'taxonomy', 'post_type_archive'],
      description:
        'With `object` and `object_id`, instead of `page` and `url`: links a post of any type, a term, or the archive of a post type.',
    },
    object: {
      ...RARE,
      type: 'string',
      description: 'The taxonomy of the term, or the post type of the archive.',
      examples: ['category'],
    },
    object_id: { ...RARE, type: 'integer', description: 'Id of the post or of the term.' },
    id: {
      ...RARE,
      type: 'integer',
      description: 'With `keep`: the item of the menu that this one is.',
      examples: [41],
    },
    children: {
      type: 'array',
      description: 'The child items.',
      items: { anyOf: [{ $ref: '#/components/schemas/MenuItemInput' }, PAGE_SCHEMA] },
    },
  },
} satisfies oas31.SchemaObject

/** A tree of items. */
export const itemsField = blankAsAbsent({
  type: 'array',
  description: `A tree of at most ${MAX_ITEMS} items on at most ${MAX_LEVELS} levels; a bare value is a link to a page.`,
  items: ITEM_INPUT_SCHEMA.properties.children.items,
  examples: [
    [
      { page: 'about-us', children: ['about-us/team'] },
      { url: '/', title: 'Top' },
    ],
  ],
})

export const allowInvalidField = flag(
  false,
  'Leave out items on pages that are not published, with their descendants, instead of rejecting the tree.',
)

export const keepField = flag(
  false,
  'Items with the `id` of an item of the menu stay this item, with all that is not sent. Not with `allow_invalid`.',
)

/**
 * Parses the tree in `items`. Problems of items are reported later, together with unresolved pages.
 * @throws AppError `bad_items` if the value is not a list
 */
export function readItems(items: unknown, { keep = false } = {}): ItemTree {
  const list = listOf(items)
  if (Array.isArray(list)) return readTree(list, { keep })
  throw new AppError('bad_items', 'Send the items of the menu as a list in "items".', {
    errors: [{ at: '', reason: 'not_a_list', message: '"items" must be a list of items.' }],
  })
}
