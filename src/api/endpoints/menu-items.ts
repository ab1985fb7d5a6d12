import { z } from 'zod'
import { addItem, removeItem, reorderLevel, updateItem } from '../../content/menus/edit-items.ts'
import { type ItemTree, joinedClasses, readTree } from '../../content/menus/item-tree.ts'
import { readWriteContext } from '../../content/menus/write-context.ts'
import { keepItems, replaceItems } from '../../content/menus/write-items.ts'
import { AppError, type ErrorCode } from '../../host/errors.ts'
import { listOf } from '../../host/php-list.ts'
import { eachText, ITEM_TEXTS } from '../../wordpress/nav-menus/menu-item.ts'
import { coded, describeInput, preprocessed, type Refuse, rawField } from '../coded-fields.ts'
import { field } from '../described.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { EFFECTS, objectBody } from '../fields.ts'
import { pick } from '../pick.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import { invalidParam } from '../sent-fields.ts'
import {
  allowInvalidField,
  blankAsAbsent,
  ChangedItemSchema,
  clearableText,
  InvalidItemSchema,
  ITEM_INPUT_SCHEMA,
  ITEM_TEXT_FIELDS,
  ItemIdSchema,
  ItemParamsSchema,
  ItemSchema,
  ignoredOfItems,
  ignoredScope,
  itemsField,
  keepField,
  MENU_ERRORS,
  MenuNamesSchema,
  MenuOfItemSchema,
  menuTarget,
  menuWritten,
  ofMenu,
  parentField,
  presentChangedItem,
  presentMenu,
  presentMenuOfItem,
  readItemsAt,
  readItemsAtField,
  scopeFields,
  WrittenItemSchema,
  writerOf,
} from './menu-fields.ts'

export const replaceMenuItemsEndpoint = defineEndpoint({
  ...ofMenu,
  name: 'replaceMenuItems',
  ignores: (call) => [...ignoredScope(call), ...ignoredOfItems(Object(call.body).items)],
  method: 'put',
  path: '/menus/:ref/items',
  summary: 'Replace the whole tree of a menu',
  body: objectBody(
    { ...scopeFields, items: itemsField, allow_invalid: allowInvalidField, keep: keepField },
    'items',
  ),
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: { items: ['home', { page: 'about-us', children: ['about-us/team'] }] },
  response: z.object({
    menu: MenuNamesSchema,
    total: z.int(),
    invalid: z.array(InvalidItemSchema).describe('Items that were left out.'),
    items: z.array(WrittenItemSchema),
    read_items_at: readItemsAtField,
  }),
  errors: ['bad_items', 'menu_items_unresolved', 'menu_items_invalid', ...MENU_ERRORS],
  effects: EFFECTS,
  async prepare({ body: { keep, allow_invalid: allowInvalid, items } }) {
    if (keep && allowInvalid)
      throw invalidParam(
        'allow_invalid',
        'must not be sent with "keep": leave the items out yourself',
      )
    return readTree(items, { keep })
  },
  async write(tx, call, tree) {
    const { site, body, now } = call
    const { keep, allow_invalid: allowInvalid } = body
    const target = menuTarget(call)
    const context = readWriteContext(tx, site, writerOf(call), now)
    const { menu, items, invalid } = keep
      ? await keepItems(tx, site, target, tree, context)
      : await replaceItems(tx, site, target, { tree, allowInvalid }, context)
    return menuWritten(tx, call, menu, {
      menu: presentMenu(menu),
      total: items.length,
      invalid,
      items: items.map((item) => pick(WrittenItemSchema, item)),
      read_items_at: readItemsAt(site),
    })
  },
})

/** The errors of a write of one item. */
const ITEM_ERRORS: readonly ErrorCode[] = [
  'item_target_required',
  'page_not_found',
  'ambiguous_page',
  'bad_items',
  'menu_items_invalid',
  'item_not_found',
  ...MENU_ERRORS,
]

const fieldsBeside = { parent: parentField, ...scopeFields }

/** `{item: {...}}`, or the item itself. `parent` may be in the item or beside it. */
const BodySchema = z
  .unknown()
  .meta({
    ...ITEM_INPUT_SCHEMA,
    description: 'The item.',
    properties: {
      ...ITEM_INPUT_SCHEMA.properties,
      item: {
        $ref: '#/components/schemas/MenuItemInput',
        deprecated: true,
        description: 'Contains the item, instead of the fields beside it.',
      },
      ...describeInput(z.object(fieldsBeside)).properties,
    },
  })
  .transform((body) => {
    const fields = fieldsOf(body)
    const item = fields.item ?? body
    return { item, ...fieldsOf(item), ...fields }
  })
  .pipe(z.object({ ...fieldsBeside, item: z.unknown().transform((item) => readTree([item])) }))

const createMenuItemEndpoint = defineEndpoint({
  ...ofMenu,
  name: 'createMenuItem',
  ignores: (call) => [...ignoredScope(call), ...ignoredOfItem(call.body)],
  method: 'post',
  path: '/menus/:ref/items',
  summary: 'Create an item at the end of a level',
  command: {
    name: 'menus items add',
    summary: 'add an item at the end of a level',
    args: ['ref:menu'],
    text: [
      'The menu "{menu.name}" has the item "{item.title:plain}" ({item.id}) now, which links {item.url}. Items in the menu: {total}.',
    ],
    examples: [
      'wp-frames menus items add ~header --page about-us/team --site 2',
      'wp-frames menus items add main-menu --url /contact --title Contact --parent 41 --site 2',
    ],
  },
  body: BodySchema,
  example: { page: 'about-us/team', title: 'Our team' },
  response: z.object({
    menu: MenuOfItemSchema,
    item: ItemSchema,
    total: z.int().describe('Number of items of the menu.'),
  }),
  errors: ITEM_ERRORS,
  effects: EFFECTS,
  async write(tx, call) {
    const { site, now } = call
    const { item: tree, parent = 0 } = call.body
    const addition = { tree, parent }
    const context = readWriteContext(tx, site, writerOf(call), now)
    const { menu, item, total } = await addItem(tx, site, menuTarget(call), addition, context)
    const body = { menu: presentMenuOfItem(menu), item: pick(ItemSchema, item), total }
    return menuWritten(tx, call, menu, body)
  },
})

/** What is beside the fields of an item is a field of the request. */
function ignoredOfItem(body: unknown): string[] {
  const { item, page, url, type, children } = fieldsOf(body)
  if (item === undefined) return ignoredOfItems([{ page, url, type, children }])
  const { parent: _, ...fields } = fieldsOf(item)
  return ignoredOfItems([fields])
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

const absentIfNull = (value: unknown): unknown => value ?? undefined

const textFields = eachText((name) => {
  const { description, example, ...rare } = ITEM_TEXT_FIELDS[name]
  return clearableText(description, example, rare)
})

const updateMenuItemEndpoint = defineEndpoint({
  ...ofMenu,
  name: 'updateMenuItem',
  method: 'patch',
  path: '/menus/:ref/items/:id',
  summary: 'Change an item, or move it',
  description:
    'Absent fields do not change. A new `parent` moves the item with its descendants to the end of that level.',
  params: ItemParamsSchema,
  body: objectBody({
    ...scopeFields,
    // `readTree` reports what is wrong with the link, as for items of a tree.
    page: rawField({
      type: ['string', 'integer'],
      description: 'Link this page instead: its id, slug or path.',
      examples: ['about-us/team'],
    }).transform(absentIfNull),
    url: rawField({
      type: 'string',
      description:
        'Link this address instead. `page` takes precedence, with the warning `url_ignored`.',
    }).transform(absentIfNull),
    title: clearableText(
      'Null or an empty text: the item shows the title of the linked object.',
      'Our team',
    ),
    ...textFields,
    classes: z.preprocess(joinedClasses, textFields.classes),
    parent: parentField,
  }),
  example: { title: 'Our team', parent: 0 },
  response: z.object({
    menu: MenuOfItemSchema,
    item: ChangedItemSchema,
  }),
  errors: [...ITEM_ERRORS, 'nothing_to_update', 'bad_parent'],
  effects: EFFECTS,
  async prepare({ body }) {
    const { page, url, lang: _, theme: __, ...others } = body
    const link = page === undefined && url === undefined ? undefined : readTree([{ page, url }])
    const update = { link, ...others }
    if (Object.values(update).some((value) => value !== undefined)) return update
    throw new AppError(
      'nothing_to_update',
      `The body contains no field to change. Send title, page, url, ${ITEM_TEXTS.join(', ')} or parent.`,
    )
  },
  async write(tx, call, update) {
    const { site, params, body, now } = call
    const context = readWriteContext(tx, site, writerOf(call), now)
    const written = await updateItem(tx, site, menuTarget(call), params.id, update, context)
    const { menu, before, after } = written
    return menuWritten(tx, call, menu, {
      menu: presentMenuOfItem(menu),
      item: presentChangedItem(before, after),
      warnings: isUrlIgnored(update.link, body.url) ? ['url_ignored'] : [],
    })
  },
})

/** Whether a URL was sent besides the page that takes precedence. */
function isUrlIgnored(link: ItemTree | undefined, url: unknown): boolean {
  return link?.items[0]?.page !== undefined && url !== undefined && url !== ''
}

const deleteMenuItemEndpoint = defineEndpoint({
  ...ofMenu,
  name: 'deleteMenuItem',
  method: 'delete',
  path: '/menus/:ref/items/:id',
  summary: 'Delete an item with its descendants',
  command: {
    name: 'menus items remove',
    summary: 'delete an item with the items below it; asks on a terminal',
    args: ['ref:menu', 'id:item'],
    question: 'Delete the item {id}, with all items below it?',
    text: ['Items of the menu "{menu.name}" deleted: {removed}. Items in the menu now: {total}.'],
    examples: [
      'wp-frames menus items remove ~header 41 --site 2 --dry-run',
      'wp-frames menus items remove main-menu 41 --site 2 --yes',
    ],
  },
  params: ItemParamsSchema,
  body: objectBody(scopeFields),
  response: z.object({
    menu: MenuOfItemSchema,
    removed: field(z.array(z.int()), 'Ids of items.', [41, 42]),
    total: z.int().describe('Number of remaining items.'),
  }),
  errors: ['item_not_found', ...MENU_ERRORS],
  effects: EFFECTS,
  async write(tx, call) {
    const { site, params } = call
    const { menu, removed, total } = await removeItem(tx, site, menuTarget(call), params.id)
    return menuWritten(tx, call, menu, { menu: presentMenuOfItem(menu), removed, total })
  },
})

const LIST_RULE = 'must be a list of ids'

const badReorder: Refuse = (errors) =>
  new AppError(
    'bad_reorder',
    'Send the ids of the items of one level in "order", and the id of their parent item, or 0, in "parent".',
    { errors },
  )

const levelFields = {
  order: coded(
    preprocessed(
      listOf,
      z
        .array(ItemIdSchema, { error: LIST_RULE })
        .min(1, { error: LIST_RULE })
        .meta({
          override: { items: { type: 'integer' } },
          description:
            'Ids of items of one level in their new order. Items that are not named follow them.',
          examples: [[41, 40]],
        }),
    ),
    badReorder,
  ),
  parent: coded(
    blankAsAbsent(
      ItemIdSchema.default(0).meta({
        override: { default: 0 },
        description: 'Id of the parent item of that level; 0 for the top level.',
        examples: [0],
      }),
    ),
    badReorder,
  ),
}

const reorderMenuItemsEndpoint = defineEndpoint({
  ...ofMenu,
  name: 'reorderMenuItems',
  method: 'post',
  path: '/menus/:ref/reorder',
  summary: 'Reorder the items of one level',
  body: objectBody({ ...scopeFields, ...levelFields }, 'order'),
  example: { order: [42, 41] },
  response: z.object({
    menu: MenuOfItemSchema,
    parent: z.int(),
    order: z.array(z.int()).describe('The whole level.'),
    appended: z.array(z.int()).describe('Items that were not named.'),
  }),
  errors: ['bad_reorder', 'item_not_found', ...MENU_ERRORS],
  effects: EFFECTS,
  async write(tx, call) {
    const { site, body } = call
    const { menu, order, appended } = await reorderLevel(tx, site, menuTarget(call), body)
    const { parent } = body
    return menuWritten(tx, call, menu, { menu: presentMenuOfItem(menu), parent, order, appended })
  },
})

export const endpoints: readonly Endpoint[] = [
  replaceMenuItemsEndpoint,
  createMenuItemEndpoint,
  updateMenuItemEndpoint,
  deleteMenuItemEndpoint,
  reorderMenuItemsEndpoint,
]
