import type { Db } from '../../db/database.ts'
import { arrayIn, idIn, storedArray } from '../serialized/stored-value.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-options.ts'
import type { LocationMaps } from './location-maps.ts'

/**
 * The location maps of a theme, the site's own unless another is named. Polylang writes the locations of its languages (`header___fr`) into
 * the theme's map now and then: they are none (PLL nav-menu.php, combine_location).
 */
export async function readLocationMaps(db: Db, site: Site, theme?: string): Promise<LocationMaps> {
  const { stylesheet, options } = await readThemeOptions(db, site, theme)
  const byTheme = arrayIn(storedArray(options.get(modsOf(stylesheet))).get('nav_menu_locations'))
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

function modsOf(theme: string): string {
  return `theme_mods_${theme}`
}

type ThemeOptions = {
  readonly stylesheet: string
  readonly options: ReadonlyMap<string, string>
}

/**
 * Polylang's option and the theme's mods, in one statement: the theme that was the site's last time most likely still is, and where it is
 * not, another statement brings the mods of the one that is.
 */
async function readThemeOptions(db: Db, site: Site, theme?: string): Promise<ThemeOptions> {
  const key = `theme ${site.prefix}`
  const { stylesheet: likely = '' } = (db.memory.get(key) ?? {}) as LastTheme
  const expected = theme ?? likely
  const options = await readOptions(db, site, ['stylesheet', 'polylang', modsOf(expected)])
  const stylesheet = theme ?? options.get('stylesheet') ?? ''
  if (stylesheet === expected) return { stylesheet, options }
  db.memory.set(key, { stylesheet }, { size: key.length + stylesheet.length })
  const mods = await readOptions(db, site, [modsOf(stylesheet)])
  return { stylesheet, options: new Map([...options, ...mods]) }
}

type LastTheme = { readonly stylesheet?: string }
