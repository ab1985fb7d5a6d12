import { z } from 'zod'
import { deleteMenu } from '../../menus/write-menu.ts'
import { readLanguages } from '../../wordpress/languages/languages.ts'
import { defineEndpoint, WithEffects } from '../endpoint.ts'
import { effectFields, presentEffects, siteId } from '../fields.ts'
import { ignoredScope, menuTarget, runMenuWrite, TARGET_ERRORS } from './menu-call.ts'
import { bodyOf, MenuParamsSchema, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { AssignedSchema, MenuNamesSchema, presentMenu } from './present-menu.ts'

export const deleteMenuEndpoint = defineEndpoint({
  name: 'deleteMenu',
  isOfContract: true,
  ignores: ignoredScope,
  method: 'delete',
  path: '/menus/:ref',
  summary: 'Delete a menu with its items and its assignments',
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
  body: bodyOf(scopeFields),
  response: z.object({
    site_id: siteId,
    deleted: MenuNamesSchema,
    removed_items: z.int(),
    freed_locations: z.array(AssignedSchema.element.extend({ theme: z.string() })),
    ...effectFields,
  }),
  errors: [
    'precondition_failed',
    ...TARGET_ERRORS,
    'menu_assignment_not_stored',
    'internal_unavailable',
  ],
  async handle(call) {
    const { db, site } = call
    const languages = await readLanguages(db, site)
    const { menu, removed, freed, change } = await runMenuWrite(call, (tx) =>
      deleteMenu(tx, site, languages, menuTarget(call)),
    )
    return new WithEffects(change, (effects) => ({
      site_id: site.blogId,
      deleted: presentMenu(menu),
      removed_items: removed.length,
      freed_locations: freed,
      ...presentEffects(site, effects),
    }))
  },
})
