import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { deleteMenuItems } from './delete-items.ts'

/** Deletes those of these published items that are in no menu. */
export async function deleteOrphanedItems(
  tx: Tx,
  site: Site,
  ids: readonly number[],
): Promise<void> {
  const { posts, termRelationships, termTaxonomy } = site.tables
  const held: number[] = await tx
    .sql(posts)
    .whereIn('ID', ids)
    .where({ post_type: 'nav_menu_item', post_status: 'publish' })
    .forUpdate()
    .pluck('ID')
  const placed: number[] = await tx
    .sql({ tr: termRelationships })
    .join({ tt: termTaxonomy }, 'tt.term_taxonomy_id', 'tr.term_taxonomy_id')
    .where('tt.taxonomy', 'nav_menu')
    .whereIn('tr.object_id', ids)
    .pluck('tr.object_id')
  const taken = new Set(placed)
  await deleteMenuItems(
    tx,
    site,
    held.filter((id) => !taken.has(id)),
  )
}
