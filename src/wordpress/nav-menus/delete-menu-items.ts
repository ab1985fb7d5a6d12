import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { noteItems } from '../written-rows.ts'
import type { MenuIds } from './nav-menu.ts'

/**
 * Deletes items with their meta values and relations permanently, as WordPress does (wp_delete_post, post.php). The number of statements
 * does not depend on the number of items; those that write wait (`Tx.later`). Children are not moved, and menus not recounted; that is up to the
 * caller.
 * @param menus those that contain the items, and perhaps others
 */
export function deleteMenuItems(
  tx: Tx,
  site: Site,
  ids: readonly number[],
  menus: readonly MenuIds[],
): void {
  if (ids.length === 0) return
  const values = { ...site.tables, items: ids }
  if (menus.length > 0) {
    // An object id may also be the id of a link or a user with relations to other taxonomies.
    tx.later(
      'DELETE FROM :termRelationships: WHERE object_id IN (:items) AND term_taxonomy_id IN (:menus)',
      { ...values, menus: menus.map(({ termTaxonomyId }) => termTaxonomyId) },
    )
  }
  tx.later('DELETE FROM :postmeta: WHERE post_id IN (:items)', values)
  tx.later("DELETE FROM :posts: WHERE ID IN (:items) AND post_type = 'nav_menu_item'", values)
  noteItems(tx, site, ids, 'deleted')
}

/** The menus that contain any item of this menu, itself too. */
export function readRelatedMenus(db: Db, { tables }: Site, menuId: number): Promise<MenuIds[]> {
  return readRows(
    db,
    `SELECT DISTINCT tt.term_id AS id, tt.term_taxonomy_id AS termTaxonomyId
      FROM :termTaxonomy: own
      JOIN :termRelationships: item ON item.term_taxonomy_id = own.term_taxonomy_id
      JOIN :termRelationships: tr ON tr.object_id = item.object_id
      JOIN :termTaxonomy: tt ON tt.term_taxonomy_id = tr.term_taxonomy_id AND tt.taxonomy = 'nav_menu'
      WHERE own.term_id = :menuId AND own.taxonomy = 'nav_menu'`,
    { ...tables, menuId },
  )
}

/** Deletes the given items if they are published and in no menu. */
export async function deleteOrphanedItems(
  tx: Tx,
  site: Site,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const values = { ...site.tables, ids }
  const locked = await readRows<{ id: number }>(
    tx,
    `SELECT ID AS id FROM :posts: WHERE ID IN (:ids) AND post_type = 'nav_menu_item'
      AND post_status = 'publish' FOR UPDATE`,
    values,
  )
  const inMenus = await readRows<{ id: number }>(
    tx,
    `SELECT tr.object_id AS id FROM :termRelationships: tr
      JOIN :termTaxonomy: tt ON tt.term_taxonomy_id = tr.term_taxonomy_id
      WHERE tt.taxonomy = 'nav_menu' AND tr.object_id IN (:ids)`,
    values,
  )
  const kept = new Set(inMenus.map(({ id }) => id))
  const deleted = locked.map(({ id }) => id).filter((id) => !kept.has(id))
  deleteMenuItems(tx, site, deleted, [])
}
