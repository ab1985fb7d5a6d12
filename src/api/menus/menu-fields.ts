import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { AppError } from '../../errors.ts'
import {
  MAX_CLASSES,
  MAX_CLASSES_LENGTH,
  MAX_ITEMS,
  MAX_LEVELS,
  MAX_TEXT_BYTES,
  MAX_URL_LENGTH,
} from '../../menus/item-tree.ts'
import { isThemeName, LOCATIONS, unknownLocation } from '../../menus/locations.ts'
import { readMenuName } from '../../menus/menu-names.ts'
import { listOf } from '../../php-list.ts'
import { byRule, coded, preprocessed, rawField } from '../coded-fields.ts'
import { flag } from '../fields.ts'

/** Treats undefined, null and an empty text as absent. */
const absentIfBlank = (value: unknown): unknown =>
  value === null || value === '' ? undefined : value

/** Undefined, null and an empty text are absent. */
export const blankAsAbsent = <Field extends z.ZodType>(field: Field) =>
  preprocessed(absentIfBlank, field)

/** A location of the theme, if sent. */
export const locationField = coded(
  blankAsAbsent(
    z
      .enum(LOCATIONS)
      .optional()
      .meta({ description: 'A location of the theme.', examples: ['header'] }),
  ),
  unknownLocation,
)

/** A code of a language. Another value becomes its JSON, which is the code of none, so that `unknown_language` lists those there are. */
export const languageField = (description: string) =>
  rawField({ type: 'string', description, examples: ['fr'] })
    .transform(absentIfBlank)
    .transform((value): string | undefined =>
      typeof value === 'string' ? value : JSON.stringify(value),
    )

export const langField = languageField(
  "Code of one of the site's languages, on a site with Polylang; by default its default language.",
)

/** A theme's `stylesheet`. */
export const themeField = blankAsAbsent(
  z
    .string({ error: 'must be a text' })
    .trim()
    .refine(isThemeName, 'must be a folder name of at most 180 characters')
    .optional()
    .meta({
      maxLength: 180,
      description:
        'The theme whose locations are meant, by its folder name; by default the active theme.',
      examples: ['opal'],
    }),
)

/** The name of a menu, as sent and as stored. */
export const nameField = rawField({
  type: 'string',
  description: 'Name of the menu.',
  examples: ['Main menu'],
}).transform(byRule(readMenuName))

const MOST_BYTES = `must have at most ${MAX_TEXT_BYTES} bytes`

const isStorable = (value: string): boolean => Buffer.byteLength(value) <= MAX_TEXT_BYTES

const text = z.string({ error: 'must be a text' })

const textOfNumber = (value: unknown): unknown =>
  typeof value === 'number' ? String(value) : value

/** A menu's slug; a number is accepted as a text. */
export const slugField = preprocessed(
  (value) => absentIfBlank(textOfNumber(value)),
  text
    .refine(isStorable, MOST_BYTES)
    .optional()
    .meta({
      description:
        'By default derived from the name. If the slug is taken, a number is appended, with the warning `slug_changed`.',
      examples: ['main-menu'],
    }),
)

/** The id of an item, as a number or as digits; 0 for none. */
export const ItemIdSchema = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int({ error: 'must be the id of an item' }).min(0, 'must be the id of an item'),
)

/** The id of the parent item, if sent. */
export const parentField = blankAsAbsent(
  ItemIdSchema.optional().meta({
    description: 'Id of the parent item; 0 for the top level.',
    examples: [0],
  }),
)

/** Not in the tools of models, see `src/mcp/tool-schemas.ts`. */
export const RARE = { 'x-rare': true } as const

/** A text that null clears. */
export const clearableText = (description: string, example: string, more: object = {}) =>
  preprocessed(
    (value) => (value === null ? '' : textOfNumber(value)),
    text
      .refine((value) => value.isWellFormed(), 'must be of valid Unicode characters')
      .refine(isStorable, MOST_BYTES)
      .optional()
      .meta({ ...more, type: ['string', 'null'], description, examples: [example] }),
  )

/** The language and the theme of a location reference such as `~header`; in the query or in the body. */
export const scopeFields = { lang: langField, theme: themeField }

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

/** @throws AppError `item_not_found` if it is not a number */
function itemIdOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new AppError('item_not_found', `This menu has no item "${text}". Item ids are numbers.`)
}

/** Path parameters of the endpoints of one item. */
export const ItemParamsSchema = MenuParamsSchema.extend({
  id: z
    .string()
    .transform(byRule(itemIdOf))
    .meta({ type: 'integer', override: { examples: [41] }, description: 'Id of an item.' }),
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

/** A list of items; `readTree` reports what is wrong with them. */
export const itemsField = coded(
  preprocessed(
    listOf,
    z.array(z.unknown()).meta({
      description: `A tree of at most ${MAX_ITEMS} items on at most ${MAX_LEVELS} levels; a bare value is a link to a page.`,
      items: ITEM_INPUT_SCHEMA.properties.children.items,
      examples: [
        [
          { page: 'about-us', children: ['about-us/team'] },
          { url: '/', title: 'Top' },
        ],
      ],
    }),
  ),
  () =>
    new AppError('bad_items', 'Send the items of the menu as a list in "items".', {
      errors: [{ at: '', reason: 'not_a_list', message: '"items" must be a list of items.' }],
    }),
)

export const allowInvalidField = flag(
  false,
  'Leave out items on pages that are not published, with their descendants, instead of rejecting the tree.',
)

export const keepField = flag(
  false,
  'Items with the `id` of an item of the menu stay this item, with all that is not sent. Not with `allow_invalid`.',
)
