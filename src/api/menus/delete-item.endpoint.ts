import { z } from 'zod'
import { removeItem } from '../../menus/edit-items.ts'
import { defineEndpoint } from '../endpoint.ts'
import { EFFECTS, objectBody, siteId } from '../fields.ts'
import { ignoredScope, menuTarget, TARGET_ERRORS, versionAfter } from './menu-call.ts'
import { ItemParamsSchema, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
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
  body: objectBody(scopeFields),
  response: z.object({
    site_id: siteId,
    menu: MenuOfItemSchema,
    removed: z.array(z.int()).meta({ description: 'Ids of items.', examples: [[41, 42]] }),
    total: z.int().describe('Number of remaining items.'),
  }),
  errors: ['precondition_failed', 'item_not_found', ...TARGET_ERRORS, 'internal_unavailable'],
  effects: EFFECTS,
  async write(tx, call) {
    const { site, params } = call
    const { menu, removed, total, change } = await removeItem(tx, site, menuTarget(call), params.id)
    return {
      body: { site_id: site.blogId, menu: presentMenuOfItem(menu), removed, total },
      change,
      version: await versionAfter(tx, call, menu),
    }
  },
})
