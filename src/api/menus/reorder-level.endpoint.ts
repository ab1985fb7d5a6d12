import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { reorderLevel } from '../../menus/edit-items.ts'
import { listOf } from '../../php-list.ts'
import { coded, preprocessed, type Refuse } from '../coded-fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import { EFFECTS, objectBody, siteId } from '../fields.ts'
import { ignoredScope, menuTarget, TARGET_ERRORS, versionAfter } from './menu-call.ts'
import {
  blankAsAbsent,
  ItemIdSchema,
  MenuParamsSchema,
  ScopeQuerySchema,
  scopeFields,
} from './menu-fields.ts'
import { MenuOfItemSchema, presentMenuOfItem } from './present-menu.ts'

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

export const reorderMenuItemsEndpoint = defineEndpoint({
  name: 'reorderMenuItems',
  isOfContract: true,
  ignores: ignoredScope,
  method: 'post',
  path: '/menus/:ref/reorder',
  summary: 'Reorder the items of one level',
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
  body: objectBody(
    {
      ...scopeFields,
      ...levelFields,
    },
    'order',
  ),
  example: { order: [42, 41] },
  response: z.object({
    site_id: siteId,
    menu: MenuOfItemSchema,
    parent: z.int(),
    order: z.array(z.int()).describe('The whole level.'),
    appended: z.array(z.int()).describe('Items that were not named.'),
  }),
  errors: [
    'precondition_failed',
    'bad_reorder',
    'item_not_found',
    ...TARGET_ERRORS,
    'internal_unavailable',
  ],
  effects: EFFECTS,
  async write(tx, call) {
    const { site, body } = call
    const written = await reorderLevel(tx, site, menuTarget(call), body)
    const { menu, order, appended, change } = written
    return {
      body: {
        site_id: site.blogId,
        menu: presentMenuOfItem(menu),
        parent: body.parent,
        order,
        appended,
      },
      change,
      version: await versionAfter(tx, call, menu),
    }
  },
})
