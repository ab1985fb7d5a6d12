import { removeItem } from '../../menus/remove-item.ts'
import { readLinkSettings } from '../../wordpress/permalinks/read-link-settings.ts'
import { defineEndpoint } from '../endpoint.ts'
import { bodyOf, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { itemIdOf, menuTarget } from './menu-target.ts'
import { presentMenu } from './present-menu.ts'
import { writeMenu } from './write-menu.ts'

/** Contract, section 4.2.9. */
export const removeMenuItem = defineEndpoint({
  method: 'delete',
  path: '/menus/:ref/items/:id',
  summary: 'Delete an item with its branch',
  query: ScopeQuerySchema,
  body: bodyOf(scopeFields),
  async handle(call) {
    const { db, executor, site, params } = call
    const target = menuTarget(call)
    const itemId = itemIdOf(params)
    const links = await readLinkSettings(db, site)
    const { menu, removed, total, change } = await writeMenu(call, (tx) =>
      removeItem(tx, site, links, target, itemId),
    )
    const { rebaked } = await executor.apply(site, change)
    const { id, name } = presentMenu(menu)
    return { success: true, site_id: site.blogId, menu: { id, name }, removed, total, rebaked }
  },
})
