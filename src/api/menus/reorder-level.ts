import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { reorderLevel } from '../../menus/reorder-level.ts'
import { readLinkSettings } from '../../wordpress/permalinks/read-link-settings.ts'
import { defineEndpoint } from '../endpoint.ts'
import { anything, bodyOf, ID, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { menuTarget } from './menu-target.ts'
import { presentMenu } from './present-menu.ts'
import { writeMenu } from './write-menu.ts'

/** Contract, section 4.2.10. */
export const postMenuOrder = defineEndpoint({
  method: 'post',
  path: '/menus/:ref/reorder',
  summary: 'Put the items of one level in another order',
  query: ScopeQuerySchema,
  body: bodyOf({ ...scopeFields, order: anything, parent: anything }),
  async handle(call) {
    const { db, executor, site, body } = call
    const level = readLevel(body)
    const target = menuTarget(call)
    const links = await readLinkSettings(db, site)
    const { menu, order, appended, change } = await writeMenu(call, (tx) =>
      reorderLevel(tx, site, links, target, level),
    )
    const { rebaked } = await executor.apply(site, change)
    const { id, name } = presentMenu(menu)
    return {
      success: true,
      site_id: site.blogId,
      menu: { id, name },
      parent: level.parent,
      order,
      appended,
      rebaked,
    }
  },
})

const LevelSchema = z.object({ order: z.array(ID).min(1), parent: ID.default(0) })

/** @throws AppError `bad_reorder` */
function readLevel(body: { readonly order: unknown; readonly parent: unknown }) {
  const level = LevelSchema.safeParse(body)
  if (level.success) return level.data
  throw new AppError(
    'bad_reorder',
    'Send the ids of the items of one level in "order", and in "parent" the id of the item above them, or 0.',
    {
      errors: level.error.issues.map(({ path, message }) => ({
        at: path.join('.'),
        reason: message,
      })),
    },
  )
}
