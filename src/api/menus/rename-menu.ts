import { AppError } from '../../errors.ts'
import { readMenuName } from '../../menus/menu-names.ts'
import { renameMenu } from '../../menus/rename-menu.ts'
import { readLanguages } from '../../wordpress/languages/read-languages.ts'
import { defineEndpoint } from '../endpoint.ts'
import { anything, bodyOf, ScopeQuerySchema, scopeFields, slug } from './menu-fields.ts'
import { menuTarget } from './menu-target.ts'
import { presentMenu } from './present-menu.ts'
import { writeMenu } from './write-menu.ts'

/** Contract, section 4.2.3. */
export const patchMenu = defineEndpoint({
  method: 'patch',
  path: '/menus/:ref',
  summary: 'Rename a menu, or change its slug',
  query: ScopeQuerySchema,
  body: bodyOf({ ...scopeFields, name: anything, slug }),
  async handle(call) {
    const { db, site, body } = call
    const { name, slug } = body
    if (name === undefined && slug === undefined) {
      throw new AppError(
        'nothing_to_update',
        'The body names nothing to change. Send "name", "slug" or both.',
      )
    }
    const renaming = { name: name === undefined ? undefined : readMenuName(name), slug }
    const languages = await readLanguages(db, site)
    const { menu, warnings } = await writeMenu(call, (tx) =>
      renameMenu(tx, site, languages, menuTarget(call), renaming),
    )
    const { id, name: stored, slug: own } = presentMenu(menu)
    return {
      success: true,
      site_id: site.blogId,
      menu: {
        id,
        term_taxonomy_id: menu.termTaxonomyId,
        name: stored,
        slug: own,
        count: menu.count,
      },
      warnings,
    }
  },
})
