import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { renameMenu } from '../../menus/write-menu.ts'
import { defineEndpoint } from '../endpoint.ts'
import { objectBody, siteId } from '../fields.ts'
import { ignoredScope, menuTarget, TARGET_ERRORS, versionAfter } from './menu-call.ts'
import {
  blankAsAbsent,
  MenuParamsSchema,
  nameField,
  ScopeQuerySchema,
  scopeFields,
  slugField,
} from './menu-fields.ts'
import { MenuNamesSchema, presentMenu } from './present-menu.ts'

export const renameMenuEndpoint = defineEndpoint({
  name: 'renameMenu',
  isOfContract: true,
  ignores: ignoredScope,
  method: 'patch',
  path: '/menus/:ref',
  summary: 'Rename a menu, or change its slug',
  description: 'Items and assignments do not change, and no frame is rebaked.',
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
  body: objectBody({ ...scopeFields, name: blankAsAbsent(nameField.optional()), slug: slugField }),
  example: { name: 'Main navigation' },
  response: z.object({
    site_id: siteId,
    menu: MenuNamesSchema.extend({ term_taxonomy_id: z.int(), count: z.int() }),
    warnings: z.array(z.string()).meta({ examples: [['slug_changed']] }),
  }),
  errors: [
    'precondition_failed',
    'nothing_to_update',
    'menu_name_required',
    'menu_term_shared',
    ...TARGET_ERRORS,
  ],
  async write(tx, call) {
    const { site, body } = call
    const { name, slug } = body
    if (name === undefined && slug === undefined) {
      throw new AppError(
        'nothing_to_update',
        'The body contains no field to change. Send "name", "slug" or both.',
      )
    }
    const { menu, warnings } = await renameMenu(tx, site, menuTarget(call), { name, slug })
    return {
      body: {
        site_id: site.blogId,
        menu: { ...presentMenu(menu), term_taxonomy_id: menu.termTaxonomyId, count: menu.count },
        warnings,
      },
      version: await versionAfter(tx, call, menu),
    }
  },
})
