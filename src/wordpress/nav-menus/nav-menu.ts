import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'

/** A menu: a term of the taxonomy `nav_menu`. */
export type Menu = {
  /** `term_id`: the id that theme mods and Polylang's map store. */
  readonly id: number
  /** `term_taxonomy_id`: the id that items are related to. Differs from `id` on old sites. */
  readonly termTaxonomyId: number
  /** As stored: `&`, `<` and `>` are encoded; `readableMenuName` decodes them. */
  readonly name: string
  readonly slug: string
  /** Published items, as WordPress counted them. At 0 WordPress shows no items, whatever the tables hold. */
  readonly count: number
}

/** The ids of a menu. */
export type MenuIds = Pick<Menu, 'id' | 'termTaxonomyId'>

/** A menu's term, with the columns `MENU_COLUMNS`. */
export type MenuTermRow = {
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

export function menuOf(row: MenuTermRow): Menu {
  return {
    id: row.term_id,
    termTaxonomyId: row.term_taxonomy_id,
    name: row.name,
    slug: row.slug,
    count: Number(row.count),
  }
}

/** All menus of a site, sorted by name in the database's collation (wp_get_nav_menus, nav-menu.php). */
export const listMenus = (db: Db, site: Site): Promise<Menu[]> =>
  readMenus(db, site, 'ORDER BY t.name, t.term_id')

/** The menu with this id. */
export async function findMenuById(
  db: Db,
  site: Site,
  id: number,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Menu | undefined> {
  const [menu] = await readMenus(db, site, `AND t.term_id = :id LIMIT 1 ${lock}`, id)
  return menu
}

/** @param which the end of the statement: further conditions, and the order */
async function readMenus(db: Db, { tables }: Site, which: string, id = 0): Promise<Menu[]> {
  const rows = await readRows<MenuTermRow>(
    db,
    `SELECT ${[...MENU_COLUMNS]} FROM :terms: t JOIN :termTaxonomy: tt ON tt.term_id = t.term_id
      WHERE tt.taxonomy = 'nav_menu' ${which}`,
    { ...tables, id },
  )
  return rows.map(menuOf)
}
