import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { readTree } from '../../menus/item-tree.ts'
import { keepItems } from '../../menus/keep-items.ts'
import { readWriteContext } from '../../menus/write-context.ts'
import { replaceItems } from '../../menus/write-items.ts'
import { defineEndpoint } from '../endpoint.ts'
import { EFFECTS, objectBody, siteId } from '../fields.ts'
import { pick } from '../pick.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import {
  ignoredOfItems,
  ignoredScope,
  menuTarget,
  TARGET_ERRORS,
  versionAfter,
  writerOf,
} from './menu-call.ts'
import {
  allowInvalidField,
  itemsField,
  keepField,
  MenuParamsSchema,
  ScopeQuerySchema,
  scopeFields,
} from './menu-fields.ts'
import {
  InvalidItemSchema,
  MenuNamesSchema,
  presentMenu,
  readItemsAt,
  readItemsAtField,
  WrittenItemSchema,
} from './present-menu.ts'

export const replaceMenuItemsEndpoint = defineEndpoint({
  name: 'replaceMenuItems',
  isOfContract: true,
  ignores: (call) => [...ignoredScope(call), ...ignoredOfItems(Object(call.body).items)],
  method: 'put',
  path: '/menus/:ref/items',
  summary: 'Replace the whole tree of a menu',
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
  body: objectBody(
    { ...scopeFields, items: itemsField, allow_invalid: allowInvalidField, keep: keepField },
    'items',
  ),
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: { items: ['home', { page: 'about-us', children: ['about-us/team'] }] },
  response: z.object({
    site_id: siteId,
    menu: MenuNamesSchema,
    total: z.int(),
    invalid: z.array(InvalidItemSchema).describe('Items that were left out.'),
    items: z.array(WrittenItemSchema),
    read_items_at: readItemsAtField,
  }),
  errors: [
    'precondition_failed',
    'bad_items',
    'menu_items_unresolved',
    'menu_items_invalid',
    ...TARGET_ERRORS,
    'internal_unavailable',
  ],
  effects: EFFECTS,
  async write(tx, call) {
    const { site, body, now } = call
    const { keep, allow_invalid: allowInvalid } = body
    if (keep && allowInvalid)
      throw new AppError(
        'rest_invalid_param',
        'Invalid parameter(s): allow_invalid. It must not be sent with "keep": leave the items out yourself.',
        { params: { allow_invalid: 'must not be sent with keep' } },
      )
    const tree = readTree(body.items, { keep })
    const target = menuTarget(call)
    const context = readWriteContext(tx, site, writerOf(call), now)
    const { menu, items, invalid, change } = keep
      ? await keepItems(tx, site, target, tree, context)
      : await replaceItems(tx, site, target, { tree, allowInvalid }, context)
    return {
      body: {
        site_id: site.blogId,
        menu: presentMenu(menu),
        total: items.length,
        invalid,
        items: items.map((item) => pick(WrittenItemSchema, item)),
        read_items_at: readItemsAt(site),
      },
      change,
      version: await versionAfter(tx, call, menu),
    }
  },
})
