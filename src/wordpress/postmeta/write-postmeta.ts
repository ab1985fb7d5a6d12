import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { postMetaKeys } from '../object-cache/cache-keys.ts'

/** Gives a post exactly one value under this meta key (update_post_meta, post.php). */
export async function setPostMeta(
  tx: Tx,
  site: Site,
  postId: number,
  key: string,
  value: string,
): Promise<void> {
  const where = { post_id: postId, meta_key: key }
  // The table has no unique key: the post's row is the lock that keeps two writers from adding a row each.
  await tx.sql(site.tables.posts).select('ID').where({ ID: postId }).forUpdate()
  const held = await tx.sql(site.tables.postmeta).select('meta_id').where(where).limit(1)
  if (held.length > 0) await tx.sql(site.tables.postmeta).where(where).update({ meta_value: value })
  else await tx.sql(site.tables.postmeta).insert({ ...where, meta_value: value })
  tx.invalidate(postMetaKeys(site, [postId]))
}

/** Removes a meta key from these posts (delete_post_meta, post.php). */
export async function deletePostMeta(
  tx: Tx,
  site: Site,
  postIds: readonly number[],
  key: string,
): Promise<void> {
  if (postIds.length === 0) return
  await tx.sql(site.tables.postmeta).whereIn('post_id', postIds).where({ meta_key: key }).delete()
  tx.invalidate(postMetaKeys(site, postIds))
}
