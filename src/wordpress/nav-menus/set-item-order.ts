import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/cache-keys.ts'

/** `FIELD` looks an id up from the front of its list, so that the work grows with the square of a batch. */
const ORDER_BATCH_SIZE = 1000

/**
 * Numbers items from 1 in this order, and touches nothing else of them, as WP-CLI does where others move aside.
 * @param from index of the first whose number is not right yet
 */
export async function setItemOrder(
  tx: Tx,
  site: Site,
  ids: readonly number[],
  from = 0,
): Promise<void> {
  const { sql } = tx
  tx.invalidate(menuItemKeys(site, ids.slice(from)))
  for (let start = from; start < ids.length; start += ORDER_BATCH_SIZE) {
    const batch = ids.slice(start, start + ORDER_BATCH_SIZE)
    const places = batch.map(() => '?').join(', ')
    await sql(site.tables.posts)
      .whereIn('ID', batch)
      .update({ menu_order: sql.raw(`? + FIELD(??, ${places})`, [start, 'ID', ...batch]) })
  }
}
