import { z } from 'zod'
import { removeItem } from '../../menus/edit-items.ts'
import { defineEndpoint, WithEffects } from '../endpoint.ts'
import { effectFields, presentEffects, siteId } from '../fields.ts'
import { ignoredScope, itemIdOf, menuTarget, runMenuWrite, TARGET_ERRORS } from './menu-call.ts'
import { bodyOf, ItemParamsSchema, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { MenuOfItemSchema, presentMenuOfItem } from './present-menu.ts'

export const deleteMenuItemEndpoint = defineEndpoint({
  name: 'deleteMenuItem',
  isOfContract: true,
  ignores: ignoredScope,
  method: 'delete',
  path: '/menus/:ref/items/:id',
  summary: 'Delete an item with its descendants',
  params: ItemParamsSchema,
  query: ScopeQuerySchema,
  body: bodyOf(scopeFields),
  response: z.object({
    site_id: siteId,
    menu: MenuOfItemSchema,
    removed: z.array(z.int()).meta({ description: 'Ids of items.', examples: [[41, 42]] }),
    total: z.int().describe('Number of remaining items.'),
    ...effectFields,
  }),
  errors: ['precondition_failed', 'item_not_found', ...TARGET_ERRORS, 'internal_unavailable'],
  async handle(call) {
    const { site, params } = call
    const target = menuTarget(call)
    const itemId = itemIdOf(params)
    const { menu, removed, total, change } = await runMenuWrite(call, (tx) =>
      removeItem(tx, site, target, itemId),
    )
    return new WithEffects(change, (effects) => ({
      site_id: site.blogId,
      menu: presentMenuOfItem(menu),
      removed,
      total,
      ...presentEffects(site, effects),
    }))
  },
})
