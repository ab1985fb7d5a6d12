import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { menuKeys } from '../object-cache/cache-keys.ts'
import type { Menu } from './nav-menu.ts'

/** Makes the counts of menus those of their published items (_update_post_term_count, taxonomy.php): at 0 WordPress shows none. */
export async function recountMenus(
  tx: Tx,
  site: Site,
  menus: readonly Pick<Menu, 'id' | 'termTaxonomyId'>[],
): Promise<void> {
  const ids = menus.map(({ termTaxonomyId }) => termTaxonomyId)
  const { termTaxonomy, termRelationships, posts } = site.tables
  const published = tx
    .sql({ tr: termRelationships })
    .join({ p: posts }, 'p.ID', 'tr.object_id')
    .where({ 'p.post_type': 'nav_menu_item', 'p.post_status': 'publish' })
    .where('tr.term_taxonomy_id', tx.sql.ref(`${termTaxonomy}.term_taxonomy_id`))
    .count()
  await tx.sql(termTaxonomy).whereIn('term_taxonomy_id', ids).update({ count: published })
  tx.invalidate(
    menuKeys(
      site,
      menus.map(({ id }) => id),
    ),
  )
}
