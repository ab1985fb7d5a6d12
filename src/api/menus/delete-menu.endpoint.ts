import { z } from 'zod'
import { deleteMenu } from '../../menus/write-menu.ts'
import { readLanguages } from '../../wordpress/languages/languages.ts'
import { defineEndpoint } from '../endpoint.ts'
import { EFFECTS, objectBody, siteId } from '../fields.ts'
import { ignoredScope, menuTarget, TARGET_ERRORS, versionAfter } from './menu-call.ts'
import { MenuParamsSchema, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
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
  body: objectBody(scopeFields),
  response: z.object({
    site_id: siteId,
    deleted: MenuNamesSchema,
    removed_items: z.int(),
    freed_locations: z.array(AssignedSchema.element.extend({ theme: z.string() })),
  }),
  errors: [
    'precondition_failed',
    ...TARGET_ERRORS,
    'menu_assignment_not_stored',
    'internal_unavailable',
  ],
  effects: EFFECTS,
  prepare: ({ db, site }) => readLanguages(db, site),
  async write(tx, call, languages) {
    const { site } = call
    const { menu, removed, freed, change } = await deleteMenu(tx, site, languages, menuTarget(call))
    return {
      body: {
        site_id: site.blogId,
        deleted: presentMenu(menu),
        removed_items: removed.length,
        freed_locations: freed,
      },
      change,
      version: await versionAfter(tx, call, menu),
    }
  },
})
