import type { Db } from '../../db/database.ts'
import type { Site } from '../network/site.ts'

/** `post_status` of these posts by id; those that are gone are missing. */
export async function readPostStatuses(
  db: Db,
  site: Site,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows: { ID: number; post_status: string }[] = await db
    .sql(site.tables.posts)
    .whereIn('ID', ids)
    .select('ID', 'post_status')
  return new Map(rows.map((row) => [row.ID, row.post_status]))
}
