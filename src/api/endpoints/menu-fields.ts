import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import {
  ITEM_FIELDS,
  ignoredItemFields,
  MAX_CLASSES,
  MAX_CLASSES_LENGTH,
  MAX_ITEMS,
  MAX_LEVELS,
  MAX_TEXT_BYTES,
  MAX_URL_LENGTH,
} from '../../content/menus/item-tree.ts'
import { isThemeName, LOCATIONS } from '../../content/menus/location-names.ts'
import { unknownLocation } from '../../content/menus/locations.ts'
import { readMenuName } from '../../content/menus/menu-names.ts'
import { type MenuTarget, readMenuVersion } from '../../content/menus/menu-target.ts'
import { MENU_CHANGE, type MenuWriter } from '../../content/menus/write-context.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError, type ErrorCode } from '../../host/errors.ts'
import { listOf } from '../../host/php-list.ts'
import type { Precondition } from '../../host/preconditions.ts'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { locationIn, type MenuScope } from '../../wordpress/nav-menus/find-menu.ts'
import { eachText, type ItemTextName, type MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { byRule, coded, preprocessed, rawField } from '../coded-fields.ts'
import { field, nullable, optional } from '../described.ts'
import type { ResponseOf, SentInput, SiteWriteContext } from '../endpoint.ts'
import { flag } from '../fields.ts'
import { pick } from '../pick.ts'
import { fieldIgnored } from '../sent-fields.ts'

/** Treats undefined, null and an empty text as absent. */
const absentIfBlank = (value: unknown): unknown =>
  value === null || value === '' ? undefined : value

/** Undefined, null and an empty text are absent. */
export const blankAsAbsent = <Field extends z.ZodType>(field: Field) =>
  preprocessed(absentIfBlank, field)

/** A location of the theme, if sent. */
export const locationField = coded(
  blankAsAbsent(optional(z.enum(LOCATIONS), 'A location of the theme.', 'header')),
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

/** Not in the tools of models, see `src/api/mcp/tool-schemas.ts`. */
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
  ref: field(
    z.string(),
    'A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme.',
    '~header',
  ),
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

type DescribedText = {
  readonly description: string
  readonly example: string
} & Partial<typeof RARE>

/** What the documentation says about the texts of an item. */
export const ITEM_TEXT_FIELDS: { readonly [Name in ItemTextName]: DescribedText } = {
  target: { description: '`_blank`, or empty.', example: '_blank' },
  classes: { description: `Separated by spaces, at most ${MAX_CLASSES}.`, example: 'wide' },
  xfn: { ...RARE, description: 'Link relations, separated by spaces.', example: 'nofollow' },
  attr_title: { ...RARE, description: "The link's `title` attribute.", example: 'Who we are' },
  description: { ...RARE, description: 'HTML.', example: 'Our people' },
}

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
    ...eachText((name) => {
      const { example: _, description, ...rare } = ITEM_TEXT_FIELDS[name]
      const limit = name === 'classes' ? { maxLength: MAX_CLASSES_LENGTH } : {}
      return { ...rare, type: 'string' as const, ...limit, description }
    }),
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

type TargetRequest = {
  readonly params: { readonly ref: string }
  readonly query: MenuScope
  readonly body?: MenuScope
  readonly precondition: Precondition | undefined
}

/** The errors of `lockTarget`. */
export const TARGET_ERRORS: readonly ErrorCode[] = [
  'menu_not_found',
  'menu_not_assigned',
  'menu_too_large',
  'ambiguous_menu',
  'unknown_language',
  'polylang_inactive',
]

/** What the writes of one menu have in common. */
export const ofMenu = {
  isOfContract: true,
  ignores: ignoredScope,
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
} as const

/** The errors of a write of a menu. */
export const MENU_ERRORS: readonly ErrorCode[] = ['precondition_failed', ...TARGET_ERRORS]

/** `lang` and `theme` choose the menu of a location; with any other reference nothing is done with them. */
export function ignoredScope({ params, body, query }: SentInput): string[] {
  if (locationIn(String(Object(params).ref)) !== undefined) return []
  const isSent = (name: string): boolean =>
    [body, query].some((sent) => ![undefined, null, ''].includes(Object(sent)[name]))
  return ['lang', 'theme'].filter(isSent).map((name) => fieldIgnored(name))
}

/** Warnings about the fields of items that nothing is done with. */
export const ignoredOfItems = (items: unknown): string[] =>
  ignoredItemFields(items).map((name) => fieldIgnored(name, ITEM_FIELDS))

/** The menu of `{ref}`. `lang` and `theme` of the query take precedence over those of the body. */
export function menuTarget({ params, query, body = {}, precondition }: TargetRequest): MenuTarget {
  const { ref } = params
  const { lang = body.lang, theme = body.theme } = query
  return { ref, precondition, lang, theme }
}

/** The caller as the writer of a menu. */
export function writerOf({
  caller,
  rights,
}: Pick<SiteWriteContext, 'caller' | 'rights'>): MenuWriter {
  return { userId: caller.user.id, unfilteredHtml: rights.superAdmin }
}

/**
 * The version of a menu that was written. Computing it means reading the whole menu, so only a request with a precondition gets it.
 * @returns undefined without one
 */
export async function versionAfter(
  tx: Tx,
  { site, precondition }: Pick<SiteWriteContext, 'site' | 'precondition'>,
  { id }: Menu,
): Promise<string | undefined> {
  return precondition && readMenuVersion(tx, site, id)
}

/** What an endpoint returns that has written a menu. All of them change what frames show, except a rename. */
export async function menuWritten<Body>(
  tx: Tx,
  call: Parameters<typeof versionAfter>[1],
  menu: Menu,
  body: Body,
) {
  return { body, change: MENU_CHANGE, version: await versionAfter(tx, call, menu) }
}

const nameFields = {
  id: z.int().meta({ examples: [23] }),
  name: z.string().meta({ examples: ['Main menu'] }),
}

/** A menu's names. */
export const MenuNamesSchema = z
  .object({ ...nameFields, slug: z.string().meta({ examples: ['main-menu'] }) })
  .meta({ id: 'Menu' })

/** The menu in responses to writes of one item. */
export const MenuOfItemSchema = z.object(nameFields)

/** A menu's names. Sent back, they do not change the menu. */
export function presentMenu({
  id,
  name,
  slug,
}: Pick<Menu, 'id' | 'name' | 'slug'>): ResponseOf<typeof MenuNamesSchema> {
  return { id, name: readableMenuName(name), slug }
}

/** An item in a response. The title is as stored: if it were decoded, text could be written back as HTML. */
export const ItemSchema = z
  .object({
    id: z.int().meta({ examples: [41] }),
    title: field(z.string(), 'As stored: HTML, in which `&amp;` is an ampersand.', 'Team'),
    type: z.enum(['post_type', 'custom', 'taxonomy', 'post_type_archive']),
    page: nullable(z.int(), 'Id of the linked page; null for other items.', 10),
    url: z.string().meta({ examples: ['http://net.test/shop/about-us/team/'] }),
    parent: z.int().describe('Id of the parent item; 0 at the top level.'),
    order: z.int().describe('Position in the whole tree, from 1.'),
    valid: field(
      z.boolean(),
      'False if WordPress leaves the item out, because what it links was deleted or is in the trash. A link to a draft is printed, and leads visitors to an error.',
    ),
  })
  .meta({ id: 'MenuItem' })

/** The current value of a field, or the previous and the current value if it changed. */
const changed = <Field extends z.ZodType>(field: Field) =>
  z.union([field, z.object({ from: field, to: field })])

const { id, title, type, page, url, parent, order, valid } = ItemSchema.shape

/** An item in the response to an update. */
export const ChangedItemSchema = z
  .object({
    id,
    title: changed(title),
    type: changed(type),
    page: changed(page),
    url: changed(url),
    parent: changed(parent),
    order: changed(order),
    valid: changed(valid),
    target: changed(z.string()),
    classes: changed(z.string()),
  })
  .meta({ description: 'The current value of each field; a changed field is `{from, to}`.' })

const atField = field(
  z.string(),
  'Position in the sent tree: `1.0` is the first child of the second item.',
  '1.0',
)

/** A written item with its position in the sent tree. */
export const WrittenItemSchema = ItemSchema.extend({ at: atField }).meta({ id: 'PlacedMenuItem' })

/** An item that was left out of a tree, or because of which the tree was rejected. */
export const InvalidItemSchema = z
  .object({
    at: atField,
    reason: z.enum(['page_not_published', 'parent_left_out']),
    message: z.string(),
    page: z.int().nullable(),
    status: optional(z.string(), 'Status of the page.', 'draft'),
  })
  .meta({ id: 'InvalidItem' })

/** `assigned`: the locations to which a menu is assigned. */
export const AssignedSchema = z.array(
  z.object({
    location: z.string().meta({ examples: ['header'] }),
    lang: nullable(z.string(), 'Null on a site without languages.', 'en'),
  }),
)

export const readItemsAtField = z.string().meta({ examples: ['/site/2/data/menu.<location>'] })

/** The menu in responses to writes of one item. */
export const presentMenuOfItem = (menu: Menu): ResponseOf<typeof MenuOfItemSchema> =>
  pick(MenuOfItemSchema, presentMenu(menu))

/** The current value of every field; `{from, to}` for a changed one. */
export function presentChangedItem(
  before: MenuItem,
  after: MenuItem,
): ResponseOf<typeof ChangedItemSchema> {
  return { id: after.id, ...changedFields(updatableFields(before), updatableFields(after)) }
}

function updatableFields(item: MenuItem) {
  const { id: _, ...fields } = pick(ItemSchema, item)
  return { ...fields, target: item.target, classes: item.classes.join(' ') }
}

type Changes<Fields> = {
  [Name in keyof Fields]: Fields[Name] | { from: Fields[Name]; to: Fields[Name] }
}

function changedFields<Fields extends object>(before: Fields, after: Fields): Changes<Fields> {
  return Object.fromEntries(
    Object.entries(after).map(([field, to]) => {
      const from = Reflect.get(before, field)
      return [field, from === to ? to : { from, to }]
    }),
  ) as Changes<Fields>
}

/** The path at which the items of an assigned menu are read. */
export function readItemsAt({ blogId }: Site): string {
  return `/site/${blogId}/data/menu.<location>`
}
