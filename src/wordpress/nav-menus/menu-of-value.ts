import { PhpObject, type PhpValue, phpInt } from '#php-serialized'
import type { Db } from '../../db/database.ts'
import { collationKey, menuName } from '../formatting/menu-texts.ts'
import { sanitizeTitle } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'
import { THEME_MODS_PREFIX } from '../options/theme-mods.ts'
import { arrayIn, storedArray } from '../stored-value.ts'
import { listMenus, type Menu } from './nav-menu.ts'

/** Whether a value is an id and nothing else, as nearly all are, so that no menu is needed to read it. */
export const isPlainId = (value: PhpValue | undefined): boolean =>
  !value || typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))

/**
 * Id of the menu that a value in a theme's map of locations names: a menu's id, else its slug, else its name, or its term
 * (wp_get_nav_menu_object, nav-menu.php). An id of no menu is returned too; 0 for a value that names nothing.
 * @param menus all menus of the site; not needed for a plain id
 */
export function menuIdOf(value: PhpValue | undefined, menus: readonly MenuNamesAndId[]): number {
  if (value instanceof Map) return 0
  if (value instanceof PhpObject) return idInTerm(value)
  const id = phpInt(value)
  if (isPlainId(value) || menus.some((menu) => menu.id === id)) return Math.max(id, 0)
  const found = findNamed(String(value), menus)
  return found?.id ?? (typeof value === 'string' ? Math.max(id, 0) : 0)
}

/** The text in a theme's map of locations that should name a menu, but names none; undefined for other values. */
export function unknownMenuName(
  value: PhpValue | undefined,
  menus: readonly MenuNamesAndId[],
): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || isPlainId(value)) return undefined
  return menuIdOf(value, menus) === 0 ? value : undefined
}

type MenuNamesAndId = { readonly id: number; readonly slug: string; readonly name: string }

/** Whether markup names a menu by its id, its slug or its name; see `findMenus`, which asks the database. */
export function isMenuRef(ref: string, menus: readonly MenuNamesAndId[]): boolean {
  const isId = /^\d+$/.test(ref) && menus.some(({ id }) => id === Number(ref))
  return isId || findNamed(ref, menus) !== undefined || menus.some(({ slug }) => slug === ref)
}

function findNamed<T extends MenuNamesAndId>(text: string, menus: readonly T[]): T | undefined {
  const [slug, name] = [collationKey(sanitizeTitle(text, '')), collationKey(menuName(text))]
  return (
    (slug === '' ? undefined : menus.find((menu) => collationKey(menu.slug) === slug)) ??
    menus.find((menu) => collationKey(menu.name) === name)
  )
}

/** `term_id` of a serialized `WP_Term`. */
function idInTerm({ serialized }: PhpObject): number {
  const [, integer, text] = /s:7:"term_id";(?:i:(\d+);|s:\d+:"(\d+)";)/.exec(serialized) ?? []
  return Number(integer ?? text ?? 0)
}

/** All menus of the site, if the theme's mods among these options name menus by more than ids. */
export async function readNamedMenus(
  db: Db,
  site: Site,
  options: readonly (readonly [name: string, text: string])[],
): Promise<readonly Menu[]> {
  const isPlain = options.every(
    ([name, text]) =>
      !name.startsWith(THEME_MODS_PREFIX) ||
      [...arrayIn(storedArray(text).get('nav_menu_locations')).values()].every(isPlainId),
  )
  return isPlain ? [] : listMenus(db, site)
}
