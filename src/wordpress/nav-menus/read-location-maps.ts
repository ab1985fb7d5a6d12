import type { Db } from '../../db/database.ts'
import { arrayIn, idIn, storedArray } from '../languages/stored-array.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-option.ts'
import type { LocationMaps } from './location-maps.ts'

/**
 * The location maps of a theme, the site's own unless another is named, in one statement. Polylang writes the locations of its languages
 * (`header___fr`) into the theme's map now and then: they are none (PLL nav-menu.php, combine_location).
 */
export async function readLocationMaps(db: Db, site: Site, theme?: string): Promise<LocationMaps> {
  const options =
    theme === undefined
      ? await readOwnOptions(db, site)
      : await readOptions(db, site, [modsOf(theme), 'polylang'])
  const stylesheet = theme ?? options.get('stylesheet') ?? ''
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

/** The name of the theme, its mods, which that name leads to, and Polylang's option. */
async function readOwnOptions(db: Db, site: Site): Promise<Map<string, string>> {
  const { options } = site.tables
  const { sql } = db
  const rows: { option_name: string; option_value: string }[] = await sql(options)
    .whereIn('option_name', ['stylesheet', 'polylang'])
    .select('option_name', 'option_value')
    .unionAll((mods) => {
      mods
        .from({ theme: options })
        .join(
          { mods: options },
          'mods.option_name',
          sql.raw('CONCAT(?, ??)', [modsOf(''), 'theme.option_value']),
        )
        .where('theme.option_name', 'stylesheet')
        .select('mods.option_name', 'mods.option_value')
    })
  return new Map(rows.map((row) => [row.option_name, row.option_value]))
}
