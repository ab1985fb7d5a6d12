import { z } from 'zod'
import type { SiteData } from '../../baking/site-data.ts'
import type { Db } from '../../db/database.ts'
import { readLocationMaps, shownMenuId } from '../../wordpress/nav-menus/location-maps.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { ResponseOf } from '../endpoint.ts'
import { MenuNamesSchema, presentMenu } from '../menus/present-menu.ts'

export const MenusAtSchema = z
  .array(MenuNamesSchema.extend({ lang: z.string().nullable() }))
  .describe('The menus that visitors see there, by language.')

/** Reads the assignments of the active theme. @returns the menus that visitors see at a location */
export async function readMenusAt(
  db: Db,
  site: Site,
  data: SiteData,
): Promise<(location: string) => ResponseOf<typeof MenusAtSchema>> {
  const [languages, maps, menus] = await Promise.all([
    data.languages(),
    readLocationMaps(db, site),
    listMenus(db, site),
  ])
  const slugs = languages.list.map(({ slug }) => slug)
  return (location) =>
    (slugs.length > 0 ? slugs : [null]).flatMap((lang) => {
      const id = shownMenuId(maps, languages, location, lang)
      const menu = menus.find((one) => one.id === id)
      return menu ? [{ ...presentMenu(menu), lang }] : []
    })
}
