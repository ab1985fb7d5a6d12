import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'

/** The stored titles of these pages, by id. They are HTML. */
export async function readTitles(
  db: Db,
  { tables }: Site,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await readRows<{ ID: number; post_title: string }>(
    db,
    "SELECT ID, post_title FROM :posts: WHERE ID IN (:ids) AND post_type = 'page'",
    { posts: tables.posts, ids: [...ids] },
  )
  return new Map(rows.map((row) => [row.ID, row.post_title]))
}
