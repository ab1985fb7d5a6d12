import {
  encodePhp,
  findValue,
  type PhpKey,
  type PhpValue,
  removeValue,
  setValue,
} from '#php-serialized'
import { arrayIn, findDamage, idIn, maybeUnserialize, storedArray } from '../stored-value.ts'
import { menuIdOf } from './menu-of-value.ts'
import type { Menu } from './nav-menu.ts'

/** An entry of Polylang's map, which has one per language. */
type LanguageAssignment = {
  /** The theme's `stylesheet`. */
  readonly theme: string
  readonly location: string
  readonly lang: string
}

export const EMPTY_ARRAY = encodePhp([])

const THEME_MAP = 'nav_menu_locations'
const LANGUAGE_MAP = 'nav_menus'

/** A theme's mods with a menu assigned to a location; 0 for none. All other bytes stay (set_theme_mod, theme.php). */
export function assignInThemeMods(mods: string, location: string, menuId: number): string {
  return setInArrays(mods, [THEME_MAP, location], encodePhp(menuId))
}

/** A theme's mods in which a location is registered, with no menu if it was missing. Polylang shows no menu at an unregistered location. */
export function registerLocation(mods: string, location: string): string {
  const known = arrayIn(storedArray(mods).get(THEME_MAP)).has(location)
  return known ? mods : assignInThemeMods(mods, location, 0)
}

/** Polylang's option with a menu assigned to a theme's location in a language (PLL Options/Business/Nav_Menus.php). */
export function assignInLanguage(
  polylang: string,
  { theme, location, lang }: LanguageAssignment,
  menuId: number,
): string {
  return setInArrays(polylang, [LANGUAGE_MAP, theme, location, lang], encodePhp(menuId))
}

/** A theme's mods, or with a language Polylang's option, with a menu id at a location; undefined removes the entry. All other bytes stay. */
export function setLocation(
  text: string,
  { theme, location, lang }: Omit<LanguageAssignment, 'lang'> & { readonly lang: string | null },
  menuId: number | undefined,
): string {
  const path = lang === null ? [THEME_MAP, location] : [LANGUAGE_MAP, theme, location, lang]
  if (menuId !== undefined) return setInArrays(text, path, encodePhp(menuId))
  return findValue(text, path) === undefined ? text : removeValue(text, path)
}

/**
 * A theme's mods without a menu: its locations stay registered with no menu (wp_delete_nav_menu, nav-menu.php). WordPress compares
 * integers only; here everything that names the menu matches too, such as its slug.
 * @param menus all menus of the site, also the one that is deleted
 */
export function unassignInThemeMods(
  mods: string,
  menuId: number,
  menus: readonly Menu[],
): { readonly mods: string; readonly locations: readonly string[] } {
  const locations = [...arrayIn(storedArray(mods).get(THEME_MAP))]
    .filter(([, value]) => menuIdOf(value, menus) === menuId)
    .map(([key]) => String(key))
  return {
    mods: locations.reduce((text, key) => assignInThemeMods(text, key, 0), mods),
    locations,
  }
}

/** The active theme's mods after a menu was deleted: WordPress writes the map even if it is empty or was missing. */
export function ensureThemeMap(mods: string): string {
  const entries = storedArray(mods)
  const lacks = entries.size > 0 && !(entries.get(THEME_MAP) instanceof Map)
  return lacks ? setInArrays(mods, [THEME_MAP], EMPTY_ARRAY) : mods
}

/** Polylang's option without a menu, in all themes. Entries are removed, not emptied (PLL admin-nav-menu.php, delete_nav_menu). */
export function unassignInLanguages(
  polylang: string,
  menuId: number,
): { readonly polylang: string; readonly assignments: readonly LanguageAssignment[] } {
  const assignments: LanguageAssignment[] = []
  for (const [theme, locations] of arrayIn(storedArray(polylang).get(LANGUAGE_MAP)))
    for (const [location, menus] of arrayIn(locations))
      for (const lang of keysOf(arrayIn(menus), menuId))
        assignments.push({ theme: String(theme), location: String(location), lang })
  return {
    polylang: assignments.reduce(
      (text, { theme, location, lang }) => removeValue(text, [LANGUAGE_MAP, theme, location, lang]),
      polylang,
    ),
    assignments,
  }
}

/** The menu screen's option without a menu in the list of menus that get new pages. The other entries keep their keys. */
export function removeFromAutoAdd(options: string, menuId: number): string {
  return keysOf(arrayIn(storedArray(options).get('auto_add')), menuId).reduce(
    (text, key) => removeValue(text, ['auto_add', key]),
    options,
  )
}

function keysOf(map: ReadonlyMap<PhpKey, PhpValue>, menuId: number): string[] {
  return [...map].filter(([, id]) => isId(id) && idIn(id) === menuId).map(([key]) => String(key))
}

function isId(value: PhpValue): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

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
