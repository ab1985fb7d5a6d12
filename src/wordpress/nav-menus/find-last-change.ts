import type { Db } from '../../db/database.ts'
import type { Site } from '../network/site.ts'
import type { Menu } from './nav-menu.ts'

export type LastChange = {
  /** Id of the item's author: WordPress notes no other user of a menu. */
  readonly userId: number
  /** `YYYY-MM-DD HH:MM:SS`, GMT. */
  readonly at: string
}

/** When the items of a menu were last written, and by whom, as far as their posts tell; undefined for a menu without items. */
export async function findLastChange(
  db: Db,
  site: Site,
  { termTaxonomyId }: Menu,
): Promise<LastChange | undefined> {
  const { posts, termRelationships } = site.tables
  return db
    .sql({ tr: termRelationships })
    .join({ p: posts }, 'p.ID', 'tr.object_id')
    .where({ 'tr.term_taxonomy_id': termTaxonomyId, 'p.post_type': 'nav_menu_item' })
    .orderBy([
      { column: 'p.post_modified_gmt', order: 'desc' },
      { column: 'p.ID', order: 'desc' },
    ])
    .first({ userId: 'p.post_author', at: 'p.post_modified_gmt' })
}
