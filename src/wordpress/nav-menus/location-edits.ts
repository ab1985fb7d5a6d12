import {
  encodePhp,
  findValue,
  type PhpKey,
  type PhpValue,
  removeValue,
  setValue,
} from '#php-serialized'
import { THEME_MODS_PREFIX, themeModsOption } from '../options/theme-mods.ts'
import { arrayIn, findDamage, idIn, maybeUnserialize, storedArray } from '../stored-value.ts'
import { menuIdOf } from './menu-of-value.ts'
import type { Menu } from './nav-menu.ts'

/** A location of a theme: in the theme's own map, or with a language in Polylang's map. */
export type LocationRef = {
  /** The theme's `stylesheet`. */
  readonly theme: string
  readonly location: string
  readonly lang: string | null
}

/** An entry of a map: a location, and the value that names its menu. */
type LocationEntry = { readonly at: LocationRef; readonly value: PhpValue }

export const EMPTY_ARRAY = encodePhp([])

const THEME_MAP = 'nav_menu_locations'
const LANGUAGE_MAP = 'nav_menus'

/** The entries of the map in an option: of that in a theme's mods, or of Polylang's; none in any other option. */
export function locationEntries(option: string, text: string | undefined): LocationEntry[] {
  const entries: LocationEntry[] = []
  if (option.startsWith(THEME_MODS_PREFIX)) {
    const theme = option.slice(THEME_MODS_PREFIX.length)
    for (const [location, value] of arrayIn(storedArray(text).get(THEME_MAP)))
      entries.push({ at: { theme, location: String(location), lang: null }, value })
  }
  if (option === 'polylang')
    for (const [theme, locations] of arrayIn(storedArray(text).get(LANGUAGE_MAP)))
      for (const [location, menus] of arrayIn(locations))
        for (const [lang, value] of arrayIn(menus)) {
          const at = { theme: String(theme), location: String(location), lang: String(lang) }
          entries.push({ at, value })
        }
  return entries
}

/**
 * Id of the menu that an entry names. Polylang's map has ids only.
 * @param menus see `menuIdOf`
 */
export const menuOfEntry = ({ at, value }: LocationEntry, menus: readonly Menu[]): number =>
  at.lang === null ? menuIdOf(value, menus) : idIn(value)

/** The option whose map has a location, and its path there. */
export const storageOf = ({
  theme,
  location,
  lang,
}: LocationRef): { readonly option: string; readonly path: readonly string[] } =>
  lang === null
    ? { option: themeModsOption(theme), path: [THEME_MAP, location] }
    : { option: 'polylang', path: [LANGUAGE_MAP, theme, location, lang] }

/**
 * The option of a location with a menu id there, 0 for none; undefined removes the entry. All other bytes stay (set_theme_mod, theme.php; PLL
 * Options/Business/Nav_Menus.php).
 */
export function setLocation(text: string, at: LocationRef, menuId: number | undefined): string {
  const { path } = storageOf(at)
  if (menuId !== undefined) return setInArrays(text, path, encodePhp(menuId))
  return findValue(text, path) === undefined ? text : removeValue(text, path)
}

/** A theme's mods in which a location is registered, with no menu if it was missing. Polylang shows no menu at an unregistered location. */
export function registerLocation(mods: string, at: LocationRef): string {
  const known = arrayIn(storedArray(mods).get(THEME_MAP)).has(at.location)
  return known ? mods : setLocation(mods, at, 0)
}

/**
 * An option without a menu, and the locations that it had there. In a theme's map they stay registered with no menu (wp_delete_nav_menu,
 * nav-menu.php). WordPress compares integers only; here everything that names the menu matches too, such as its slug. In Polylang's map the entries
 * of all themes are removed, not emptied (PLL admin-nav-menu.php, delete_nav_menu).
 * @param menus all menus of the site, also the one that is deleted
 */
export function unassignIn(
  option: string,
  text: string,
  menuId: number,
  menus: readonly Menu[],
): { readonly text: string; readonly removed: readonly LocationRef[] } {
  const removed = locationEntries(option, text)
    .filter(({ at, value }) => at.lang === null || isId(value))
    .filter((entry) => menuOfEntry(entry, menus) === menuId)
    .map(({ at }) => at)
  const clear = (edited: string, at: LocationRef): string =>
    setLocation(edited, at, at.lang === null ? 0 : undefined)
  return { text: removed.reduce(clear, text), removed }
}

/** The active theme's mods after a menu was deleted: WordPress writes the map even if it is empty or was missing. */
export function ensureThemeMap(mods: string): string {
  const entries = storedArray(mods)
  const lacks = entries.size > 0 && !(entries.get(THEME_MAP) instanceof Map)
  return lacks ? setInArrays(mods, [THEME_MAP], EMPTY_ARRAY) : mods
}

/** The menu screen's option without a menu in the list of menus that get new pages. The other entries keep their keys. */
export function removeFromAutoAdd(options: string, menuId: number): string {
  return [...arrayIn(storedArray(options).get('auto_add'))]
    .filter(([, id]) => isId(id) && idIn(id) === menuId)
    .reduce((text, [key]) => removeValue(text, ['auto_add', String(key)]), options)
}

const isId = (value: PhpValue): boolean => typeof value === 'string' || typeof value === 'number'

/**
 * Like `setValue`, but a value on the path that is not an array is replaced by an array, because WordPress and Polylang treat such a value
 * as empty.
 * @throws SerializedError for a damaged text, which may contain other data
 */
function setInArrays(text: string, path: readonly PhpKey[], encoded: string): string {
  const damage = findDamage(text)
  if (damage) throw damage
  let edited = maybeUnserialize(text) instanceof Map ? text : EMPTY_ARRAY
  for (let length = 1; length < path.length; length += 1) {
    const parent = path.slice(0, length)
    const value = findValue(edited, parent)
    if (value !== undefined && value !== null && !(value instanceof Map))
      edited = setValue(edited, parent, EMPTY_ARRAY)
  }
  return setValue(edited, path, encoded)
}
