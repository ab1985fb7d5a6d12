import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { MENU_COLUMNS, type Menu, type MenuRow, menuOf } from './nav-menu.ts'

/**
 * The menu with this id, its rows locked until the transaction ends: its term is the write lock of a menu, of its items and of its
 * places. Undefined where it is gone. Locks are taken in one order: names, menu, options by name, posts.
 */
export async function lockMenu(tx: Tx, site: Site, menuId: number): Promise<Menu | undefined> {
  const { terms, termTaxonomy } = site.tables
  const row = { term_id: menuId, taxonomy: 'nav_menu' }
  // Written to and fro, because Galera compares at commit what two nodes wrote, and knows nothing of what they locked.
  const held = await tx.sql(termTaxonomy).where(row).increment('count')
  if (held === 0) return undefined
  await tx.sql(termTaxonomy).where(row).decrement('count')
  const found: MenuRow | undefined = await tx
    .sql({ tt: termTaxonomy })
    .join({ t: terms }, 't.term_id', 'tt.term_id')
    .where({ 'tt.term_id': menuId, 'tt.taxonomy': 'nav_menu' })
    .select(...MENU_COLUMNS)
    .forUpdate()
    .first()
  return found && menuOf(found)
}

/** Option of the service whose row is a site's lock for the names and slugs of its menus; it counts how often it was taken. */
const NAMES_LOCK = 'svc_menu_names'

/** Keeps other writers from naming a menu of this site until the transaction ends: no row of WordPress's stands for all names. */
export async function lockMenuNames(tx: Tx, site: Site): Promise<void> {
  await tx
    .sql(site.tables.options)
    .insert({ option_name: NAMES_LOCK, option_value: '1', autoload: 'off' })
    .onConflict('option_name')
    .merge({ option_value: tx.sql.raw('?? + 1', ['option_value']) })
}
