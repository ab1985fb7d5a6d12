import { deleteMenu } from '../../menus/delete-menu.ts'
import { readLanguages } from '../../wordpress/languages/read-languages.ts'
import { defineEndpoint } from '../endpoint.ts'
import { bodyOf, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { menuTarget } from './menu-target.ts'
import { presentMenu } from './present-menu.ts'
import { writeMenu } from './write-menu.ts'

/** Contract, section 4.2.4. */
export const removeMenu = defineEndpoint({
  method: 'delete',
  path: '/menus/:ref',
  summary: 'Delete a menu with its items, and free its locations',
  query: ScopeQuerySchema,
  body: bodyOf(scopeFields),
  async handle(call) {
    const { db, executor, site } = call
    const languages = await readLanguages(db, site)
    const { menu, removed, freed, change } = await writeMenu(call, (tx) =>
      deleteMenu(tx, site, languages, menuTarget(call)),
    )
    const { rebaked } = await executor.apply(site, change)
    return {
      success: true,
      site_id: site.blogId,
      deleted: presentMenu(menu),
      removed_items: removed.length,
      freed_locations: freed,
      rebaked,
    }
  },
})
