import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/stale-keys.ts'
import type { Menu } from './menu.ts'
import { recountMenus } from './recount-menus.ts'

/**
 * Deletes items with all that is theirs, for good as WordPress does (wp_delete_post, post.php), in as many statements whatever their
 * number. Their children are not moved: that is for the caller to decide. An item may stand in several menus; all are counted anew.
 */
export async function deleteMenuItems(tx: Tx, site: Site, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { posts, postmeta, termRelationships, termTaxonomy } = site.tables
  const menus: MenuIds[] = await tx
    .sql({ tr: termRelationships })
    .join({ tt: termTaxonomy }, 'tt.term_taxonomy_id', 'tr.term_taxonomy_id')
    .where('tt.taxonomy', 'nav_menu')
    .whereIn('tr.object_id', ids)
    .distinct({ id: 'tt.term_id', termTaxonomyId: 'tt.term_taxonomy_id' })
  await tx
    .sql(termRelationships)
    // The number of an item may also be that of a term with relations of its own.
    .whereIn(
      'term_taxonomy_id',
      menus.map(({ termTaxonomyId }) => termTaxonomyId),
    )
    .whereIn('object_id', ids)
    .delete()
  await tx.sql(postmeta).whereIn('post_id', ids).delete()
  await tx.sql(posts).whereIn('ID', ids).where({ post_type: 'nav_menu_item' }).delete()
  await recountMenus(tx, site, menus)
  tx.forget(menuItemKeys(site, ids))
}

type MenuIds = Pick<Menu, 'id' | 'termTaxonomyId'>
