import type { Db } from '../../db/database.ts'
import { arrayIn, idIn, storedArray } from '../languages/stored-array.ts'
import type { Site } from '../network/site.ts'
import { readOption, readOptions } from '../options/read-option.ts'
import type { LocationMaps } from './location-maps.ts'

/**
 * The location maps of a theme, the site's own unless another is named. Polylang writes the locations of its languages (`header___fr`) into
 * the theme's map now and then: they are none (PLL nav-menu.php, combine_location).
 */
export async function readLocationMaps(db: Db, site: Site, theme?: string): Promise<LocationMaps> {
  const stylesheet = theme ?? (await readOption(db, site, 'stylesheet')) ?? ''
  const mods = `theme_mods_${stylesheet}`
  const options = await readOptions(db, site, [mods, 'polylang'])
  const byTheme = arrayIn(storedArray(options.get(mods)).get('nav_menu_locations'))
  const navMenus = arrayIn(storedArray(options.get('polylang')).get('nav_menus'))
  return {
    theme: stylesheet,
    byTheme: new Map(
      [...byTheme]
        .map(([location, id]): [string, number] => [String(location), idIn(id)])
        .filter(([location]) => !location.includes('___')),
    ),
    byLanguage: new Map(
      [...arrayIn(navMenus.get(stylesheet))].map(([location, menus]) => [
        String(location),
        new Map([...arrayIn(menus)].map(([lang, id]) => [String(lang), idIn(id)])),
      ]),
    ),
  }
}
