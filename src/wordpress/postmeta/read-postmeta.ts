import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'

export type PostMeta = { readonly postId: number; readonly value: string }

type PostMetaRow = { meta_id: number; post_id: number; meta_key: string; meta_value: string | null }

/** All values of a meta key on this site's posts, by post id. Of a post's duplicates, the oldest (get_metadata, meta.php). */
export async function readPostMeta(db: Db, site: Site, key: string): Promise<PostMeta[]> {
  const rows = await readRows<PostMetaRow>(
    db,
    'SELECT post_id, meta_value FROM :postmeta: WHERE meta_key = :key ORDER BY post_id, meta_id',
    { postmeta: site.tables.postmeta, key },
  )
  return rows
    .filter((row, index) => row.post_id !== rows[index - 1]?.post_id)
    .map((row) => ({ postId: row.post_id, value: row.meta_value ?? '' }))
}

/** The ids of the posts that bear this value under this meta key, in order. */
export async function findPostsByMeta(
  db: Db,
  site: Site,
  key: string,
  value: string,
): Promise<number[]> {
  const rows = await db
    .sql<PostMetaRow>(site.tables.postmeta)
    .distinct('post_id')
    .where({ meta_key: key, meta_value: value })
    .orderBy('post_id')
  return rows.map((row) => row.post_id)
}

/** The value of a post's meta key; of duplicates, the oldest. */
export async function readPostMetaOf(
  db: Db,
  site: Site,
  postId: number,
  key: string,
): Promise<string | undefined> {
  const [row] = await readRows<PostMetaRow>(
    db,
    `SELECT meta_value FROM :postmeta: WHERE post_id = :postId AND meta_key = :key
      ORDER BY meta_id LIMIT 1`,
    { postmeta: site.tables.postmeta, postId, key },
  )
  return row?.meta_value ?? undefined
}
