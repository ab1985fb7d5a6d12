import type { Db } from '../db/database.ts'
import { inUpdates, readRows, storeRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from './network/site.ts'
import { noteMetas } from './written-rows.ts'

export type PostMeta = { readonly postId: number; readonly value: string }

type PostMetaRow = { meta_id: number; post_id: number; meta_key: string; meta_value: string | null }

/**
 * All values of a meta key on this site's posts, by post id. Of duplicates of a post, the oldest (get_metadata, meta.php).
 * @param among only of posts that have one of these values [all]; not empty
 */
export async function readPostMeta(
  db: Db,
  site: Site,
  key: string,
  among?: readonly string[],
): Promise<PostMeta[]> {
  const isAmong =
    'AND post_id IN (SELECT post_id FROM :postmeta: WHERE meta_key = :key AND meta_value IN (:among))'
  const rows = await readRows<PostMetaRow>(
    db,
    `SELECT post_id, meta_value, meta_id FROM :postmeta: WHERE meta_key = :key ${among ? isAmong : ''}
      ORDER BY post_id, meta_id`,
    { postmeta: site.tables.postmeta, key, among: [...(among ?? [])] },
  )
  return rows
    .filter((row, index) => row.post_id !== rows[index - 1]?.post_id)
    .map((row) => ({ postId: row.post_id, value: row.meta_value ?? '' }))
}

/** The posts with one of these values under this meta key, in order; of duplicates, all. */
export async function listPostsByMeta(
  db: Db,
  site: Site,
  key: string,
  values: readonly string[],
): Promise<PostMeta[]> {
  if (values.length === 0) return []
  return readRows<PostMeta>(
    db,
    `SELECT DISTINCT post_id AS postId, meta_value AS value FROM :postmeta:
      WHERE meta_key = :key AND meta_value IN (:values) ORDER BY post_id`,
    { postmeta: site.tables.postmeta, key, values: [...values] },
  )
}

/** The value of a post's meta key; of duplicates, the oldest. */
export async function readPostMetaOf(
  db: Db,
  site: Site,
  postId: number,
  key: string,
): Promise<string | undefined> {
  return (await readPostsMeta(db, site, [postId], key)).get(postId)
}

/** The values of a meta key of these posts, by post id, in one statement; of duplicates of a post, the oldest. Null values are left out. */
export async function readPostsMeta(
  db: Db,
  site: Site,
  postIds: readonly number[],
  key: string,
): Promise<Map<number, string>> {
  const stored = await readStoredMeta(db, site, postIds, key)
  return new Map([...stored].flatMap(([id, value]) => (value === null ? [] : [[id, value]])))
}

async function readStoredMeta(
  db: Db,
  site: Site,
  postIds: readonly number[],
  key: string,
): Promise<Map<number, string | null>> {
  if (postIds.length === 0) return new Map()
  const rows = await readRows<PostMetaRow>(
    db,
    `SELECT post_id, meta_value, meta_id FROM :postmeta: WHERE post_id IN (:postIds) AND meta_key = :key
      ORDER BY meta_id`,
    { ...site.tables, postIds, key },
  )
  const oldest = new Map<number, string | null>()
  for (const row of rows) if (!oldest.has(row.post_id)) oldest.set(row.post_id, row.meta_value)
  return oldest
}

/**
 * Sets a meta key of several posts (update_post_meta, post.php), in some statements and one for every few hundred posts. The table has no unique key, so
 * the rows of posts are locked: two writers would each add a row.
 * @param values by post id
 * @param having the posts that have the key already, as the caller has read under a lock [read from the tables]
 * @returns the values before of those that were read; of duplicates, the oldest
 */
export async function setPostsMeta(
  tx: Tx,
  site: Site,
  key: string,
  values: ReadonlyMap<number, string>,
  having: ReadonlySet<number> = new Set(),
): Promise<ReadonlyMap<number, string | null>> {
  if (values.size === 0) return new Map()
  const { postmeta } = site.tables
  const ids = [...values.keys()].sort((a, b) => a - b)
  const unknown = ids.filter((id) => !having.has(id))
  const before = await lockPostsWith(tx, site, key, unknown)
  const added = new Set(unknown.filter((id) => !before.has(id)))
  const textOf = (id: number): string => values.get(id) ?? ''
  const changed = ids.filter((id) => !added.has(id))
  for (const batch of inUpdates(changed, (id) => textOf(id).length))
    tx.later(
      `UPDATE :postmeta: SET meta_value = ELT(FIELD(post_id, :batch), :texts)
        WHERE post_id IN (:batch) AND meta_key = :key`,
      { postmeta, key, batch, texts: batch.map(textOf) },
    )
  const rows = [...added].map((id) => ({ post_id: id, meta_key: key, meta_value: textOf(id) }))
  await storeRows(tx, [{ table: postmeta, rows }])
  noteMetas(tx, site, ids)
  return before
}

/** Locks posts, and returns the values of those that have this meta key. */
async function lockPostsWith(
  tx: Tx,
  site: Site,
  key: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  if (ids.length === 0) return new Map()
  // In one packet, which the server runs in order: the values are read under the lock.
  const lock = 'SELECT ID FROM :posts: WHERE ID IN (:ids) ORDER BY ID FOR UPDATE'
  const [, stored] = await Promise.all([
    readRows(tx, lock, { ...site.tables, ids }),
    readStoredMeta(tx, site, ids, key),
  ])
  return stored
}

/** Removes a meta key from these posts (delete_post_meta, post.php). */
export async function deletePostMeta(
  tx: Tx,
  site: Site,
  postIds: readonly number[],
  key: string,
): Promise<void> {
  if (postIds.length === 0) return
  tx.later('DELETE FROM :postmeta: WHERE post_id IN (:postIds) AND meta_key = :key', {
    postmeta: site.tables.postmeta,
    postIds: [...postIds],
    key,
  })
  noteMetas(tx, site, postIds)
}
