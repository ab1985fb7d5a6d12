import { z } from 'zod'
import { decodeName } from '../../wordpress/formatting/decode-name.ts'
import { readLanguages } from '../../wordpress/languages/read-languages.ts'
import { listMenus } from '../../wordpress/nav-menus/list-menus.ts'
import { assignmentsOf } from '../../wordpress/nav-menus/location-maps.ts'
import { readLocationMaps } from '../../wordpress/nav-menus/read-location-maps.ts'
import { defineEndpoint } from '../endpoint.ts'

/** The locations that a menu can be set at (contract, section 2.5). */
export const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3'] as const

/** Contract, section 4.2.1. */
export const getMenus = defineEndpoint({
  method: 'get',
  path: '/menus',
  summary: 'All menus of the site, by name, and where they are set',
  query: z.object({ theme: z.string().optional() }),
  async handle({ db, site, query }) {
    const languages = await readLanguages(db, site)
    const maps = await readLocationMaps(db, site, query.theme)
    const menus = await listMenus(db, site)
    return {
      success: true,
      site_id: site.blogId,
      theme: maps.theme,
      locations: LOCATIONS,
      default_lang: languages.default,
      read_items_at: `/site/${site.blogId}/data/menu.<location>`,
      total: menus.length,
      menus: menus.map(({ id, name, slug, count }) => ({
        id,
        name: decodeName(name),
        slug,
        items: count,
        assigned: assignmentsOf(maps, languages, id),
      })),
    }
  },
})
