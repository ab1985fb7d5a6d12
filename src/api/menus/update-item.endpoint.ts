import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { type ItemTree, MAX_CLASSES, readTree } from '../../menus/item-tree.ts'
import { updateItem } from '../../menus/update-item.ts'
import { readWriteContext } from '../../menus/write-context.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import { defineEndpoint } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { effectFields, presentEffects } from '../present-effects.ts'
import { itemIdOf, menuTarget, runMenuWrite, TARGET_ERRORS, writerOf } from './menu-call.ts'
import {
  bodyOf,
  clearableText,
  ItemParamsSchema,
  nullAsAbsent,
  parent,
  ScopeQuerySchema,
  scopeFields,
} from './menu-fields.ts'
import { ItemSchema, MenuOfItemSchema, presentItem, presentMenu } from './present-menu.ts'

/** The current value of a field, or the previous and the current value if it changed. */
const changed = <Field extends z.ZodType>(field: Field) =>
  z.union([field, z.object({ from: field, to: field })])

const { id, title, type, page, url, parent: above, order, valid } = ItemSchema.shape

const ChangedItemSchema = z
  .object({
    id,
    title: changed(title),
    type: changed(type),
    page: changed(page),
    url: changed(url),
    parent: changed(above),
    order: changed(order),
    valid: changed(valid),
    target: changed(z.string()),
    classes: changed(z.string()),
  })
  .meta({ description: 'The current value of each field; a changed field is `{from, to}`.' })

/** Contract, section 4.2.8. */
export const updateMenuItemEndpoint = defineEndpoint({
  name: 'updateMenuItem',
  method: 'patch',
  path: '/menus/:ref/items/:id',
  summary: 'Change an item, or move it',
  description:
    'Absent fields do not change. A new `parent` moves the item with its descendants to the end of that level.',
  params: ItemParamsSchema,
  query: ScopeQuerySchema,
  body: bodyOf({
    ...scopeFields,
    page: nullAsAbsent({
      type: ['string', 'integer'],
      description: 'Link this page instead: its id, slug or path.',
      examples: ['about-us/team'],
    }),
    url: nullAsAbsent({
      type: 'string',
      description:
        'Link this address instead. `page` takes precedence, with the warning `url_ignored`.',
    }),
    title: clearableText(
      'Null or an empty text: the item shows the title of the linked object.',
      'Our team',
    ),
    target: clearableText('`_blank`, or empty.', '_blank'),
    classes: clearableText(`At most ${MAX_CLASSES}, separated by spaces.`, 'wide'),
    parent,
  }),
  example: { title: 'Our team', parent: 0 },
  response: z.object({
    site_id: siteId,
    menu: MenuOfItemSchema,
    item: ChangedItemSchema,
    warnings: z.array(z.string()),
    ...effectFields,
  }),
  errors: [
    'precondition_failed',
    'nothing_to_update',
    'item_target_required',
    'page_not_found',
    'ambiguous_page',
    'bad_items',
    'menu_items_invalid',
    'item_not_found',
    'bad_parent',
    ...TARGET_ERRORS,
    'internal_unavailable',
  ],
  async handle(call) {
    const { db, executor, site, params, body, now } = call
    const { page, url, title, target, classes, parent } = body
    const link = page === undefined && url === undefined ? undefined : readTree([{ page, url }])
    const update = {
      ...(link === undefined ? {} : { link }),
      ...(title === undefined ? {} : { title }),
      ...(target === undefined ? {} : { target }),
      ...(classes === undefined ? {} : { classes }),
      ...(parent === undefined ? {} : { parent }),
    }
    if (Object.keys(update).length === 0) {
      throw new AppError(
        'nothing_to_update',
        'The body contains no field to change. Send title, page, url, target, classes or parent.',
      )
    }
    const context = await readWriteContext(db, site, writerOf(call), now)
    const { menu, before, after, change } = await runMenuWrite(call, (tx) =>
      updateItem(tx, site, menuTarget(call), itemIdOf(params), update, context),
    )
    const effects = await executor.apply(site, change)
    const { id, name } = presentMenu(menu)
    return {
      site_id: site.blogId,
      menu: { id, name },
      item: { id: after.id, ...changedFields(fieldsOf(before), fieldsOf(after)) },
      warnings: isUrlIgnored(link, url) ? ['url_ignored'] : [],
      ...presentEffects(effects),
    }
  },
})

/** Whether a URL was sent besides the page that takes precedence. */
function isUrlIgnored(link: ItemTree | undefined, url: unknown): boolean {
  return link?.items[0]?.page !== undefined && url !== undefined && url !== ''
}

/** The fields of an item that the response contains, except the id. */
function fieldsOf(item: MenuItem) {
  const { id: _, ...fields } = presentItem(item)
  return { ...fields, target: item.target, classes: item.classes.join(' ') }
}

type Changes<Fields> = {
  [Name in keyof Fields]: Fields[Name] | { from: Fields[Name]; to: Fields[Name] }
}

/** The current value of every field; `{from, to}` for a changed one. */
function changedFields<Fields extends object>(before: Fields, after: Fields): Changes<Fields> {
  return Object.fromEntries(
    Object.entries(after).map(([field, to]) => {
      const from = Reflect.get(before, field)
      return [field, from === to ? to : { from, to }]
    }),
  ) as Changes<Fields>
}
