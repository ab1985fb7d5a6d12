import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Site, SiteTables } from '../network/site.ts'
import { itemObjectId, itemType, type StoredItem } from './menu-item.ts'

/** Identifies what an item links. */
export const objectKey = ({ meta }: StoredItem): string => `${itemType(meta)} ${itemObjectId(meta)}`

/** The parents of the linked posts and terms, which WordPress stores with the items, by `objectKey`. */
export async function readObjectParents(
  tx: Tx,
  { tables }: Site,
  items: readonly StoredItem[],
): Promise<Map<string, number>> {
  const idsOf = (type: string) =>
    items.filter(({ meta }) => itemType(meta) === type).map(({ meta }) => itemObjectId(meta))
  const [posts, terms] = await Promise.all([
    readParents(tx, 'SELECT ID AS id, post_parent AS parent FROM :posts: WHERE ID IN (:ids)', {
      ...tables,
      ids: idsOf('post_type'),
    }),
    readParents(tx, 'SELECT term_id AS id, parent FROM :termTaxonomy: WHERE term_id IN (:ids)', {
      ...tables,
      ids: idsOf('taxonomy'),
    }),
  ])
  return new Map([
    ...posts.map(({ id, parent }) => [`post_type ${id}`, parent] as const),
    ...terms.map(({ id, parent }) => [`taxonomy ${id}`, parent] as const),
  ])
}

async function readParents(
  tx: Tx,
  statement: string,
  values: SiteTables & { readonly ids: readonly number[] },
): Promise<{ readonly id: number; readonly parent: number }[]> {
  return values.ids.length === 0 ? [] : readRows(tx, statement, values)
}
