import { readAuthorship } from '../../menus/authorship.ts'
import { replaceItems } from '../../menus/replace-items.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag } from '../flag.ts'
import { anything, bodyOf, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { menuTarget } from './menu-target.ts'
import { presentItem, presentMenu, readItemsAt } from './present-menu.ts'
import { itemsOf } from './sent-items.ts'
import { writeMenu } from './write-menu.ts'

/** Contract, section 4.2.6. */
export const putMenuItems = defineEndpoint({
  method: 'put',
  path: '/menus/:ref/items',
  summary: 'Replace the whole tree of a menu',
  query: ScopeQuerySchema,
  body: bodyOf({ ...scopeFields, items: anything, allow_invalid: flag(false) }),
  async handle(call) {
    const { db, executor, site, caller, body, now } = call
    const filling = { tree: itemsOf(body.items), allowInvalid: body.allow_invalid }
    const target = menuTarget(call)
    const authorship = await readAuthorship(db, site, caller.user, now)
    const { menu, items, invalid, change } = await writeMenu(call, (tx) =>
      replaceItems(tx, site, target, filling, authorship),
    )
    const { rebaked } = await executor.apply(site, change)
    return {
      success: true,
      site_id: site.blogId,
      menu: presentMenu(menu),
      total: items.length,
      invalid,
      items: items.map((item) => ({ ...presentItem(item), at: item.at })),
      read_items_at: readItemsAt(site),
      rebaked,
    }
  },
})
