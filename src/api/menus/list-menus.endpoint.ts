import { z } from 'zod'
import { LOCATIONS } from '../../menus/locations.ts'
import { readLanguages } from '../../wordpress/languages/languages.ts'
import { assignmentsOf, readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import { defineEndpoint } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { themeField } from './menu-fields.ts'
import {
  AssignedSchema,
  MenuNamesSchema,
  presentMenu,
  readItemsAt,
  readItemsAtField,
} from './present-menu.ts'

export const listMenusEndpoint = defineEndpoint({
  name: 'listMenus',
  isOfContract: true,
  method: 'get',
  path: '/menus',
  summary: 'List all menus of the site with their assignments, sorted by name',
  query: z.object({ theme: themeField }),
  response: z.object({
    site_id: siteId,
    theme: z.string().meta({ examples: ['opal'] }),
    locations: z.array(z.string()).meta({ examples: [LOCATIONS] }),
    default_lang: z
      .string()
      .nullable()
      .meta({ examples: ['en'] }),
    read_items_at: readItemsAtField,
    total: z.int(),
    menus: z.array(
      MenuNamesSchema.extend({
        items: z.int().describe('Number of items.'),
        assigned: AssignedSchema,
      }),
    ),
  }),
  mcpLeavesOut: ['read_items_at'],
  async read({ db, site, query }) {
    const [languages, maps, menus] = await Promise.all([
      readLanguages(db, site),
      readLocationMaps(db, site, query.theme),
      listMenus(db, site),
    ])
    return {
      site_id: site.blogId,
      theme: maps.theme,
      locations: LOCATIONS,
      default_lang: languages.default,
      read_items_at: readItemsAt(site),
      total: menus.length,
      menus: menus.map((menu) => ({
        ...presentMenu(menu),
        items: menu.count,
        assigned: assignmentsOf(maps, languages, menu.id),
      })),
    }
  },
})
