import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { readPostColumns } from '../pages/posts.ts'
import { itemObjectId, itemType, type StoredItem } from './menu-item.ts'

/** Identifies what an item links. */
export const objectKey = ({ meta }: StoredItem): string => `${itemType(meta)} ${itemObjectId(meta)}`

/** The parents of the linked posts and terms, which WordPress stores with the items, by `objectKey`. */
export async function readObjectParents(
  tx: Tx,
  site: Site,
  items: readonly StoredItem[],
): Promise<Map<string, number>> {
  const idsOf = (type: string) =>
    items.filter(({ meta }) => itemType(meta) === type).map(({ meta }) => itemObjectId(meta))
  const termIds = idsOf('taxonomy')
  const [posts, terms] = await Promise.all([
    readPostColumns<{ post_parent: number }>(tx, site, idsOf('post_type'), 'post_parent'),
    termIds.length === 0
      ? []
      : readRows<{ id: number; parent: number }>(
          tx,
          'SELECT term_id AS id, parent FROM :termTaxonomy: WHERE term_id IN (:termIds)',
          { ...site.tables, termIds },
        ),
  ])
  return new Map([
    ...[...posts].map(([id, { post_parent }]) => [`post_type ${id}`, post_parent] as const),
    ...terms.map(({ id, parent }) => [`taxonomy ${id}`, parent] as const),
  ])
}
