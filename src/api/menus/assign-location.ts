import { assignLocation } from '../../menus/assign-location.ts'
import { readPlace } from '../../menus/read-place.ts'
import { readLanguages } from '../../wordpress/languages/read-languages.ts'
import { assignmentsOf } from '../../wordpress/nav-menus/location-maps.ts'
import { readLocationMaps } from '../../wordpress/nav-menus/read-location-maps.ts'
import { defineEndpoint } from '../endpoint.ts'
import { anything, bodyOf, ScopeQuerySchema, scopeFields } from './menu-fields.ts'
import { menuTarget } from './menu-target.ts'
import { presentMenu } from './present-menu.ts'
import { writeMenu } from './write-menu.ts'

/** Contract, section 4.2.5. */
export const putMenuLocation = defineEndpoint({
  method: 'put',
  path: '/menus/:ref/location',
  summary: 'Set a menu at a location',
  query: ScopeQuerySchema,
  body: bodyOf({ ...scopeFields, location: anything }),
  async handle(call) {
    const { db, executor, site, body } = call
    const languages = await readLanguages(db, site)
    const place = await readPlace(db, site, languages, body)
    const target = menuTarget(call)
    const { menu, warnings, change } = await writeMenu(call, (tx) =>
      assignLocation(tx, site, languages, target, place),
    )
    const { rebaked } = await executor.apply(site, change)
    const maps = await readLocationMaps(db, site, place.theme)
    return {
      success: true,
      site_id: site.blogId,
      theme: place.theme,
      location: place.location,
      lang: place.lang ?? languages.default,
      menu: presentMenu(menu),
      assigned: assignmentsOf(maps, languages, menu.id),
      warnings,
      rebaked,
    }
  },
})
