import { inBatches, storeRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { GlobalTables, Site } from '../wordpress/network/site.ts'

/** Tables with the state of each site's content as the service has seen it last. */
export type SeenTables = {
  readonly sites: string
  readonly posts: string
  readonly terms: string
  readonly options: string
}

export function seenTables({ basePrefix }: GlobalTables): SeenTables {
  return {
    sites: `${basePrefix}svc_seen_sites`,
    posts: `${basePrefix}svc_seen_posts`,
    terms: `${basePrefix}svc_seen_terms`,
    options: `${basePrefix}svc_seen_options`,
  }
}

/** A row that differs from what was seen last. `before` is missing for a new row, `after` for a deleted one. */
export type RowEdit<State> = {
  readonly id: number
  readonly before?: State
  readonly after?: State
}

/**
 * @param after the rows that are new or differ
 * @param before these as they were seen last, and the deleted ones
 */
export function rowEdits<State extends { readonly id: number }>(
  after: readonly State[],
  before: readonly State[],
): RowEdit<State>[] {
  const edits = new Map<number, RowEdit<State>>()
  for (const state of before) edits.set(state.id, { id: state.id, before: state })
  for (const state of after)
    edits.set(state.id, { ...edits.get(state.id), id: state.id, after: state })
  return [...edits.values()]
}

/** Rows in one statement. */
export const ROWS_PER_STATEMENT = 5000

/**
 * Stores that these edits have been seen.
 * @param key the column with the ids
 */
export async function storeSeenRows<State extends { readonly id: number }>(
  tx: Tx,
  { blogId, globals }: Site,
  { table, key }: { readonly table: 'posts' | 'terms'; readonly key: string },
  edits: readonly RowEdit<State>[],
): Promise<void> {
  const seen = seenTables(globals)[table]
  const gone = edits.filter(({ after }) => after === undefined).map(({ id }) => id)
  for (const batch of inBatches(gone, ROWS_PER_STATEMENT))
    tx.later('DELETE FROM :seen: WHERE blog_id = :blogId AND :key: IN (:ids)', {
      seen,
      blogId,
      key,
      ids: batch,
    })
  const rows = edits.flatMap(({ after }) => {
    if (!after) return []
    const { id, ...state } = after
    return [{ blog_id: blogId, [key]: id, ...state }]
  })
  const columns = Object.keys(rows[0] ?? {}).slice(2)
  const onDuplicate = columns.map((column) => `${column} = VALUES(${column})`).join()
  await storeRows(tx, [{ table: seen, rows, onDuplicate }])
}
