import type { Db } from '../../db/database.ts'
import type { Site } from '../network/site.ts'
import { MENU_COLUMNS, type Menu, type MenuRow, menuOf } from './menu.ts'

/** All menus of a site by name, as the database's collation orders them (wp_get_nav_menus, nav-menu.php). */
export async function listMenus(db: Db, site: Site): Promise<Menu[]> {
  const { terms, termTaxonomy } = site.tables
  const rows: MenuRow[] = await db
    .sql({ t: terms })
    .join({ tt: termTaxonomy }, 'tt.term_id', 't.term_id')
    .where('tt.taxonomy', 'nav_menu')
    .orderBy(['t.name', 't.term_id'])
    .select(...MENU_COLUMNS)
  return rows.map(menuOf)
}
