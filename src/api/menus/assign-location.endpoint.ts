import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { readAssignment } from '../../menus/locations.ts'
import { assignLocation } from '../../menus/write-menu.ts'
import { readLanguages } from '../../wordpress/languages/languages.ts'
import { assignmentsOf, readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { defineEndpoint, WithEffects } from '../endpoint.ts'
import { effectFields, presentEffects, siteId } from '../fields.ts'
import { menuTarget, runMenuWrite, TARGET_ERRORS } from './menu-call.ts'
import {
  bodyOf,
  locationField,
  MenuParamsSchema,
  ScopeQuerySchema,
  scopeFields,
} from './menu-fields.ts'
import { AssignedSchema, MenuNamesSchema, presentMenu } from './present-menu.ts'

export const assignMenuLocationEndpoint = defineEndpoint({
  name: 'assignMenuLocation',
  isOfContract: true,
  method: 'put',
  path: '/menus/:ref/location',
  summary: 'Assign a menu to a location',
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
  body: bodyOf({ ...scopeFields, location: locationField }, 'location'),
  example: { location: 'header', lang: 'fr' },
  response: z.object({
    site_id: siteId,
    theme: z.string().meta({ examples: ['opal'] }),
    location: z.string().meta({ examples: ['header'] }),
    lang: z
      .string()
      .nullable()
      .meta({ examples: ['en'] }),
    menu: MenuNamesSchema,
    assigned: AssignedSchema,
    warnings: z.array(z.string()),
    ...effectFields,
  }),
  errors: [
    'precondition_failed',
    'location_required',
    'unknown_location',
    ...TARGET_ERRORS,
    'menu_assignment_not_stored',
    'internal_unavailable',
  ],
  async handle(call) {
    const { db, site, body } = call
    if (body.location === undefined) {
      throw new AppError(
        'location_required',
        'Name the location in "location". A menu cannot be removed from a location; assign another menu instead.',
      )
    }
    const reading = readLanguages(db, site)
    const [languages, assignment] = await Promise.all([
      reading,
      readAssignment(db, site, reading, body),
    ])
    const target = menuTarget(call)
    const { menu, warnings, change, maps } = await runMenuWrite(call, async (tx) => ({
      ...(await assignLocation(tx, site, languages, target, assignment)),
      maps: await readLocationMaps(tx, site, assignment.theme),
    }))
    return new WithEffects(change, (effects) => ({
      site_id: site.blogId,
      theme: assignment.theme,
      location: assignment.location,
      lang: assignment.lang ?? languages.default,
      menu: presentMenu(menu),
      assigned: assignmentsOf(maps, languages, menu.id),
      warnings,
      ...presentEffects(site, effects),
    }))
  },
})
