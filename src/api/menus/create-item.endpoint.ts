import { z } from 'zod'
import { addItem } from '../../menus/edit-items.ts'
import { readTree } from '../../menus/item-tree.ts'
import { readWriteContext } from '../../menus/write-context.ts'
import { describeInput } from '../coded-fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import { EFFECTS, siteId } from '../fields.ts'
import { pick } from '../pick.ts'
import {
  ignoredOfItems,
  ignoredScope,
  menuTarget,
  TARGET_ERRORS,
  versionAfter,
  writerOf,
} from './menu-call.ts'
import {
  ITEM_INPUT_SCHEMA,
  MenuParamsSchema,
  parentField,
  ScopeQuerySchema,
  scopeFields,
} from './menu-fields.ts'
import { ItemSchema, MenuOfItemSchema, presentMenuOfItem } from './present-menu.ts'

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

export const createMenuItemEndpoint = defineEndpoint({
  name: 'createMenuItem',
  isOfContract: true,
  ignores: (call) => [...ignoredScope(call), ...ignoredOfItem(call.body)],
  method: 'post',
  path: '/menus/:ref/items',
  summary: 'Create an item at the end of a level',
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
  body: BodySchema,
  example: { page: 'about-us/team', title: 'Our team' },
  response: z.object({
    site_id: siteId,
    menu: MenuOfItemSchema,
    item: ItemSchema,
    total: z.int().describe('Number of items of the menu.'),
  }),
  errors: [
    'precondition_failed',
    'item_target_required',
    'page_not_found',
    'ambiguous_page',
    'bad_items',
    'menu_items_invalid',
    'item_not_found',
    ...TARGET_ERRORS,
    'internal_unavailable',
  ],
  effects: EFFECTS,
  async write(tx, call) {
    const { site, body, now } = call
    const addition = { tree: body.item, parent: body.parent ?? 0 }
    const context = readWriteContext(tx, site, writerOf(call), now)
    const written = await addItem(tx, site, menuTarget(call), addition, context)
    const { menu, item, total, change } = written
    return {
      body: {
        site_id: site.blogId,
        menu: presentMenuOfItem(menu),
        item: pick(ItemSchema, item),
        total,
      },
      change,
      version: await versionAfter(tx, call, menu),
    }
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
