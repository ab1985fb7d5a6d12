import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'
import { MENU_COLUMNS, type Menu, type MenuRow, menuOf } from './menu.ts'

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
