import { z } from 'zod'
import { addItem } from '../../menus/add-item.ts'
import { readAuthorship } from '../../menus/authorship.ts'
import { readTree } from '../../menus/tree.ts'
import { defineEndpoint } from '../endpoint.ts'
import { itemId, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { menuTarget } from './menu-target.ts'
import { presentItem, presentMenu } from './present-menu.ts'
import { writeMenu } from './write-menu.ts'

/** `{item: {...}}`, or the item itself; either way `parent` stands in the item, or beside it. */
const BodySchema = z
  .unknown()
  .transform((body) => {
    const fields = fieldsOf(body)
    const item = fields.item ?? body
    return { item, ...fieldsOf(item), ...fields }
  })
  .pipe(z.object({ ...scopeFields, item: z.unknown(), parent: itemId }))

/** Contract, section 4.2.7. */
export const postMenuItem = defineEndpoint({
  method: 'post',
  path: '/menus/:ref/items',
  summary: 'Add an item at the end of a level',
  query: ScopeQuerySchema,
  body: BodySchema,
  async handle(call) {
    const { db, executor, site, caller, body, now } = call
    const addition = { tree: readTree([body.item]), parent: body.parent ?? 0 }
    const target = menuTarget(call)
    const authorship = await readAuthorship(db, site, caller.user, now)
    const { menu, item, total, change } = await writeMenu(call, (tx) =>
      addItem(tx, site, target, addition, authorship),
    )
    const { rebaked } = await executor.apply(site, change)
    const { id, name } = presentMenu(menu)
    return {
      success: true,
      site_id: site.blogId,
      menu: { id, name },
      item: presentItem(item),
      total,
      rebaked,
    }
  },
})

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
