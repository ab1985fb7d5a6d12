import type { Db } from '../../db/database.ts'
import { arrayIn, idIn, maybeUnserialize, storedArray } from '../serialized/stored-value.ts'
import type { Site } from '../network/site.ts'
import { readOptions, readOptionsMatching } from '../options/read-options.ts'
import { SerializedError } from '../serialized/php-value.ts'

/** A place that names a menu by its id, be it there or not. */
export type MenuUse = {
  readonly menuId: number
  /** In the theme's own map, in Polylang's, or among the menus that get new pages. */
  readonly kind: 'theme' | 'language' | 'auto_add'
  /** The theme's `stylesheet`; '' for `auto_add`. */
  readonly theme: string
  readonly location: string
  /** Set for a language's place alone. */
  readonly lang: string | null
}

export type MenuUses = {
  /** The site's own theme. */
  readonly theme: string
  readonly uses: readonly MenuUse[]
  /** Options that are damaged, and how: nothing is known of what they hold. */
  readonly unreadable: readonly { readonly option: string; readonly message: string }[]
}

const THEME_MODS_PREFIX = 'theme_mods_'

/** All places of a site's menus, in all themes and languages, in two statements. */
export async function readMenuUses(db: Db, site: Site): Promise<MenuUses> {
  const mods = await readOptionsMatching(db, site, THEME_MODS_PREFIX, '')
  const options = await readOptions(db, site, ['stylesheet', 'polylang', 'nav_menu_options'])
  const autoAdd = arrayIn(storedArray(options.get('nav_menu_options')).get('auto_add'))
  const places: MenuUse[] = [...autoAdd.values()].map((id) => ({
    ...{ kind: 'auto_add', theme: '', location: '', lang: null },
    menuId: idIn(id),
  }))
  for (const [option, text] of mods) {
    const theme = option.slice(THEME_MODS_PREFIX.length)
    for (const [location, id] of arrayIn(storedArray(text).get('nav_menu_locations')))
      places.push({
        ...{ kind: 'theme', theme, location: String(location), lang: null },
        menuId: idIn(id),
      })
  }
  for (const [theme, locations] of arrayIn(storedArray(options.get('polylang')).get('nav_menus')))
    for (const [location, menus] of arrayIn(locations))
      for (const [lang, id] of arrayIn(menus))
        places.push({
          ...{ kind: 'language', theme: String(theme), location: String(location) },
          ...{ lang: String(lang), menuId: idIn(id) },
        })
  return {
    theme: options.get('stylesheet') ?? '',
    uses: places.filter(({ menuId }) => menuId > 0),
    unreadable: [...mods, ...options].flatMap(([option, text]) => {
      const message = findDamage(text)
      return message === undefined ? [] : [{ option, message }]
    }),
  }
}

function findDamage(text: string): string | undefined {
  try {
    maybeUnserialize(text)
    return undefined
  } catch (error) {
    if (error instanceof SerializedError) return error.message
    throw error
  }
}
