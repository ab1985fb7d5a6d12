import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { LOCATIONS, readAssignment } from '../../menus/locations.ts'
import { assignLocation } from '../../menus/write-menu.ts'
import { readLanguages } from '../../wordpress/languages/languages.ts'
import { assignmentsOf, readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { coded } from '../coded-fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import { EFFECTS, objectBody, siteId } from '../fields.ts'
import { menuTarget, TARGET_ERRORS, versionAfter } from './menu-call.ts'
import { locationField, MenuParamsSchema, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { AssignedSchema, MenuNamesSchema, presentMenu } from './present-menu.ts'

const requiredLocation = coded(
  locationField.pipe(z.enum(LOCATIONS)),
  () =>
    new AppError(
      'location_required',
      'Name the location in "location". A menu cannot be removed from a location; assign another menu instead.',
    ),
)

export const assignMenuLocationEndpoint = defineEndpoint({
  name: 'assignMenuLocation',
  isOfContract: true,
  method: 'put',
  path: '/menus/:ref/location',
  summary: 'Assign a menu to a location',
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
  body: objectBody({ ...scopeFields, location: requiredLocation }, 'location'),
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
  }),
  errors: [
    'precondition_failed',
    'location_required',
    'unknown_location',
    ...TARGET_ERRORS,
    'menu_assignment_not_stored',
    'internal_unavailable',
  ],
  effects: EFFECTS,
  async prepare({ db, site, body }) {
    const reading = readLanguages(db, site)
    return Promise.all([reading, readAssignment(db, site, reading, body)])
  },
  async write(tx, call, [languages, assignment]) {
    const { site } = call
    const { theme, location, lang } = assignment
    const written = await assignLocation(tx, site, languages, menuTarget(call), assignment)
    const { menu, warnings, change } = written
    const maps = await readLocationMaps(tx, site, theme)
    return {
      body: {
        site_id: site.blogId,
        theme,
        location,
        lang: lang ?? languages.default,
        menu: presentMenu(menu),
        assigned: assignmentsOf(maps, languages, menu.id),
        warnings,
      },
      change,
      version: await versionAfter(tx, call, menu),
    }
  },
})
