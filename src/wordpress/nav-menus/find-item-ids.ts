import type { Db } from '../../db/database.ts'
import type { Site } from '../network/site.ts'
import type { Menu } from './nav-menu.ts'

/** The ids of all items of a menu, drafts among them, in order. What else is related to it is no item. */
export async function findItemIds(db: Db, site: Site, menu: Menu): Promise<number[]> {
  const { posts, termRelationships } = site.tables
  return db
    .sql({ tr: termRelationships })
    .join({ p: posts }, 'p.ID', 'tr.object_id')
    .where({ 'tr.term_taxonomy_id': menu.termTaxonomyId, 'p.post_type': 'nav_menu_item' })
    .orderBy(['p.menu_order', 'p.ID'])
    .pluck('p.ID')
}
