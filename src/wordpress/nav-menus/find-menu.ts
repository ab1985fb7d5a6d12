import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { errorOf } from '../../host/errors.ts'
import { findSimilar } from '../../host/similar.ts'
import { menuName, readableMenuName } from '../formatting/menu-texts.ts'
import { sanitizeTitle } from '../formatting/slugs.ts'
import {
  assertLanguage,
  type Languages,
  readLanguages,
  readLocale,
} from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { idIn } from '../stored-value.ts'
import { menuIdAt, readLocationMaps } from './location-maps.ts'
import {
  findMenuById,
  listMenus,
  MENU_COLUMNS,
  type Menu,
  type MenuTermRow,
  menuOf,
} from './nav-menu.ts'

/**
 * The menus that match a reference, as WordPress finds them (wp_get_nav_menu_object, nav-menu.php): digits as an id, then any text as a slug
 * (sanitize_title), then as a name, both by the column's collation: `Main Menu` finds the slug `main-menu`, and `menu` the name `MENÜ`. Of
 * several, those that are equal without the collation. Names with four-byte characters are only compared exactly, because a utf8mb3 column
 * rejects the comparison. At last, a slug that WordPress would not find, because no title is sanitized to it.
 */
export async function findMenus(db: Db, site: Site, ref: string | number): Promise<Menu[]> {
  const text = String(ref)
  const byId = /^\d+$/.test(text) ? await findMenuById(db, site, idIn(text)) : undefined
  if (byId) return [byId]
  const name = menuName(text)
  const slug = sanitizeTitle(text, NON_ASCII.test(text) ? await readLocale(db, site) : '')
  const rows = await readRows<MenuTermRow & { same_name: number; same_slug: number }>(
    db,
    `SELECT ${[...MENU_COLUMNS]}, ${FOUR_BYTE_CHARACTER.test(name) ? '0' : 't.name = :name'} AS same_name,
        t.slug = :slug AND :slug <> '' AS same_slug
      FROM :terms: t JOIN :termTaxonomy: tt ON tt.term_id = t.term_id
      WHERE tt.taxonomy = 'nav_menu' ORDER BY t.term_id`,
    { ...site.tables, name, slug },
  )
  const matchers: ((row: (typeof rows)[number]) => boolean)[] = [
    (row) => row.same_slug === 1 && (row.slug === slug || row.slug === text),
    (row) => row.same_slug === 1,
    (row) => row.name === name,
    (row) => row.same_name === 1,
    (row) => row.slug === text || row.slug === percentEncodedSlug(text),
  ]
  for (const matches of matchers) {
    const found = rows.filter(matches)
    if (found.length > 0) return found.map(menuOf)
  }
  return []
}

/** How a character outside ASCII is written in a slug depends on the language of the site. */
const NON_ASCII = /[^\x00-\x7f]/
const FOUR_BYTE_CHARACTER = /[\u{10000}-\u{10ffff}]/u

/** A slug as WordPress stores it: characters outside ASCII are percent-encoded with lower-case digits. */
export function percentEncodedSlug(slug: string): string {
  return encodeURIComponent(slug.toWellFormed()).replace(/%[0-9A-F]{2}/g, (hex) =>
    hex.toLowerCase(),
  )
}

/** The language and the theme in which a location reference is looked up; by default the default language and the active theme. */
export type MenuScope = { readonly lang?: string | undefined; readonly theme?: string | undefined }

/**
 * The one menu that a reference names: `~header` and `@header` name the menu assigned to that location, other
 * references are resolved by `findMenus`.
 * @param languages for a location reference [read from the tables]
 * @throws AppError `menu_not_found`, `ambiguous_menu`; for a location `menu_not_assigned`, `unknown_language`, `polylang_inactive`
 */
export async function getMenu(
  db: Db,
  site: Site,
  ref: string | number,
  scope: MenuScope = {},
  languages?: Languages | Promise<Languages>,
): Promise<Menu> {
  const location = locationIn(ref)
  if (location === undefined) return getNamedMenu(db, site, ref)
  const known = languages ?? readLanguages(db, site)
  if (scope.lang !== undefined) assertLanguage(await known, scope.lang)
  return getMenuAt(db, site, known, location, scope)
}

/** The location that a reference names; undefined for a reference to a menu. */
export function locationIn(ref: string | number): string | undefined {
  return /^[~@](.*)$/s.exec(String(ref))?.[1]
}

/**
 * The one menu that `findMenus` finds.
 * @throws AppError `menu_not_found`, `ambiguous_menu`
 */
async function getNamedMenu(db: Db, site: Site, ref: string | number): Promise<Menu> {
  const menus = await findMenus(db, site, ref)
  const [menu] = menus
  if (!menu) throw errorOf('menu_not_found', { ref, similar: await findSimilarName(db, site, ref) })
  if (menus.length > 1) {
    const candidates = menus.map(({ id, name, slug }) => ({
      id,
      name: readableMenuName(name),
      slug,
    }))
    throw errorOf('ambiguous_menu', { ref, candidates })
  }
  return menu
}

/** The slug or name that is similar to a reference as it is spelled, or as a slug of the site is: `hauptmenue` to `Hauptmenü`. */
async function findSimilarName(
  db: Db,
  site: Site,
  ref: string | number,
): Promise<string | undefined> {
  const [menus, locale] = await Promise.all([listMenus(db, site), readLocale(db, site)])
  const known = menus.flatMap(({ slug, name }) => [slug, readableMenuName(name)])
  const similar = findSimilar(String(ref), known)
  if (similar !== undefined) return similar
  const bySlug = new Map(known.map((name) => [sanitizeTitle(name, locale), name]))
  return bySlug.get(findSimilar(sanitizeTitle(String(ref), locale), bySlug.keys()) ?? '')
}

/**
 * The menu that is assigned to a location.
 * @throws AppError `menu_not_assigned`
 */
async function getMenuAt(
  db: Db,
  site: Site,
  languages: Languages | Promise<Languages>,
  location: string,
  { lang, theme }: MenuScope,
): Promise<Menu> {
  const [maps, known] = await Promise.all([readLocationMaps(db, site, theme), languages])
  // Polylang's map may lack an inactive theme; that theme's own map still counts (listed with `lang` null).
  const inTheme = lang === undefined ? (maps.byTheme.get(location) ?? 0) : 0
  const id = menuIdAt(maps, known, location, lang ?? null) || inTheme
  // The map may name a deleted menu.
  const menu = id > 0 ? await findMenuById(db, site, id) : undefined
  if (menu) return menu
  throw errorOf('menu_not_assigned', { location, lang, theme: maps.theme })
}
