import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { menuName, readableMenuName } from '../formatting/menu-texts.ts'
import type { Languages } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { menuIdAt, readLocationMaps } from './location-maps.ts'

/** A menu: a term of the taxonomy `nav_menu`. */
export type Menu = {
  /** `term_id`: what locations and maps name a menu by. */
  readonly id: number
  /** `term_taxonomy_id`: what items are related to. Differs from the id on old sites. */
  readonly termTaxonomyId: number
  /** As stored: `&`, `<` and `>` encoded; `decodeName` gives what people read. */
  readonly name: string
  readonly slug: string
  /** Published items by WordPress's own count; at 0 it shows none, whatever there is. */
  readonly count: number
}

/** The columns of a menu's term, as the reading statements select them. */
export type MenuRow = {
  readonly term_id: number
  readonly term_taxonomy_id: number
  readonly name: string
  readonly slug: string
  readonly count: number
}

export const MENU_COLUMNS = [
  't.term_id',
  'tt.term_taxonomy_id',
  't.name',
  't.slug',
  'tt.count',
] as const

/** The menu of a row. */
export function menuOf(row: MenuRow): Menu {
  return {
    id: row.term_id,
    termTaxonomyId: row.term_taxonomy_id,
    name: row.name,
    slug: row.slug,
    count: Number(row.count),
  }
}

/** All menus of a site by name, as the database's collation orders them (wp_get_nav_menus, nav-menu.php). */
export async function listMenus(db: Db, site: Site): Promise<Menu[]> {
  const { terms, termTaxonomy: taxonomy } = site.tables
  const rows = await readRows<MenuRow>(
    db,
    `SELECT ${[...MENU_COLUMNS]} FROM :terms: t JOIN :taxonomy: tt ON tt.term_id = t.term_id
      WHERE tt.taxonomy = 'nav_menu' ORDER BY t.name, t.term_id`,
    { terms, taxonomy },
  )
  return rows.map(menuOf)
}

/**
 * The menus that a reference names (decisions, section 9): digits are an id, then a slug, then a name; other text is a slug, then a
 * name. Names are compared as stored and by the column's collation, as WordPress compares them (wp_get_nav_menu_object, nav-menu.php), so
 * that `menu` and `MENÜ` are one name; where that makes several of them, the one that is spelled so is meant. Names with characters of four
 * bytes must be spelled so: a utf8mb3 column refuses the comparison.
 */
export async function findMenus(db: Db, site: Site, ref: string | number): Promise<Menu[]> {
  const text = String(ref)
  const name = menuName(text)
  const { terms, termTaxonomy } = site.tables
  const rows: (MenuRow & { same_name: number })[] = await db
    .sql({ t: terms })
    .join({ tt: termTaxonomy }, 'tt.term_id', 't.term_id')
    .where('tt.taxonomy', 'nav_menu')
    .orderBy('t.term_id')
    .select(...MENU_COLUMNS)
    .select({
      same_name: FOUR_BYTE_CHARACTER.test(name)
        ? db.sql.raw('0')
        : db.sql.raw('?? = ?', ['t.name', name]),
    })
  const slug = percentEncodedSlug(text)
  const tests: ((row: (typeof rows)[number]) => boolean)[] = [
    (row) => /^\d+$/.test(text) && row.term_id === Number(text),
    (row) => row.slug === slug,
    (row) => row.name === name,
    (row) => row.same_name === 1,
  ]
  for (const test of tests) {
    const found = rows.filter(test)
    if (found.length > 0) return found.map(menuOf)
  }
  return []
}

const FOUR_BYTE_CHARACTER = /[\u{10000}-\u{10ffff}]/u

/** A slug as it is stored, given as people read it or as it stands. */
function percentEncodedSlug(text: string): string {
  if (/%[0-9a-f]{2}/.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replace(/%[0-9A-F]{2}/g, (hex) =>
    hex.toLowerCase(),
  )
}

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
