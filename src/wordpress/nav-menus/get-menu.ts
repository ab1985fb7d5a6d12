import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { readableMenuName } from '../formatting/menu-texts.ts'
import type { Languages } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { findMenus } from './find-menus.ts'
import { menuIdAt } from './location-maps.ts'
import type { Menu } from './menu.ts'
import { readLocationMaps } from './read-location-maps.ts'

/** Where a location in a menu's reference is looked up; by default in the site's own theme and the default language. */
export type MenuScope = { readonly lang?: string; readonly theme?: string }

/**
 * The one menu that a reference names (contract, section 2.5): `~header` and `@header` the menu at that location, else what `findMenus`
 * finds. Throws `menu_not_found`, `menu_not_assigned`, and `ambiguous_menu` with `candidates`.
 */
export async function getMenu(
  db: Db,
  site: Site,
  languages: Languages,
  ref: string | number,
  scope: MenuScope = {},
): Promise<Menu> {
  const location = /^[~@](.*)$/s.exec(String(ref))?.[1]
  if (location !== undefined) return getMenuAt(db, site, languages, location, scope)
  const menus = await findMenus(db, site, ref)
  const [menu] = menus
  if (!menu) {
    throw new AppError(
      'menu_not_found',
      `This site has no menu "${ref}". Name it by its id, slug or name, or by a location, as in ~header.`,
    )
  }
  if (menus.length > 1) {
    throw new AppError(
      'ambiguous_menu',
      `${menus.length} menus are called "${ref}": name one by its id or its slug.`,
      {
        candidates: menus.map(({ id, name, slug }) => ({
          id,
          name: readableMenuName(name),
          slug,
        })),
      },
    )
  }
  return menu
}

async function getMenuAt(
  db: Db,
  site: Site,
  languages: Languages,
  location: string,
  { lang, theme }: MenuScope,
): Promise<Menu> {
  const maps = await readLocationMaps(db, site, theme)
  // A theme that Polylang knows nothing of, one that is not active, has its own map still (`lang` null in lists of places).
  const inTheme = lang === undefined ? (maps.byTheme.get(location) ?? 0) : 0
  const id = menuIdAt(maps, languages, location, lang ?? null) || inTheme
  const menus = id > 0 ? await findMenus(db, site, id) : []
  // A map may name a menu that is gone; another one that bears its number as a slug is not it.
  const menu = menus.find((found) => found.id === id)
  if (menu) return menu
  const where = lang === undefined ? '' : ` in the language "${lang}"`
  throw new AppError(
    'menu_not_assigned',
    `No menu is set at the location "${location}"${where} of the theme "${maps.theme}".`,
  )
}
