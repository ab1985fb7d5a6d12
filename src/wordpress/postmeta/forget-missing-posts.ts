import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { deletePostMeta } from './write-postmeta.ts'

/** Removes a meta key from those of these posts that are gone: their ids are never given out again. */
export async function deleteMetaOfMissingPosts(
  tx: Tx,
  site: Site,
  ids: readonly number[],
  key: string,
): Promise<void> {
  const there: number[] = await tx.sql(site.tables.posts).whereIn('ID', ids).pluck('ID')
  const found = new Set(there)
  await deletePostMeta(
    tx,
    site,
    ids.filter((id) => !found.has(id)),
    key,
  )
}
