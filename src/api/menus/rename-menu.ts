import { AppError } from '../../errors.ts'
import { readMenuName } from '../../menus/menu-names.ts'
import { renameMenu } from '../../menus/rename-menu.ts'
import { readLanguages } from '../../wordpress/languages/read-languages.ts'
import { defineEndpoint } from '../endpoint.ts'
import { anything, bodyOf, ScopeQuerySchema, scopeFields, slug } from './menu-fields.ts'
import { menuTarget } from './menu-target.ts'
import { presentMenu } from './present-menu.ts'

/** Contract, section 4.2.3. */
export const patchMenu = defineEndpoint({
  method: 'patch',
  path: '/menus/:ref',
  summary: 'Rename a menu, or change its slug',
  query: ScopeQuerySchema,
  body: bodyOf({ ...scopeFields, name: anything, slug }),
  async handle({ db, site, params, query, body }) {
    const { name, slug } = body
    if (name === undefined && slug === undefined) {
      throw new AppError(
        'nothing_to_update',
        'The body names nothing to change. Send "name", "slug" or both.',
      )
    }
    const renaming = { name: name === undefined ? undefined : readMenuName(name), slug }
    const languages = await readLanguages(db, site)
    const { menu, warnings } = await db.transaction((tx) =>
      renameMenu(tx, site, languages, menuTarget(params, query, body), renaming),
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
