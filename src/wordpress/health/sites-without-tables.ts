import type { Db } from '../../db/database.ts'
import { BLOG_COLUMNS, type BlogRow, type GlobalTables, blogPrefix } from '../network/site.ts'

/** The rows of `blogs` that are no site, because they have no options. */
export async function findSitesWithoutTables(db: Db, globals: GlobalTables): Promise<BlogRow[]> {
  const rows: BlogRow[] = await db
    .sql(globals.blogs)
    .select(...BLOG_COLUMNS)
    .orderBy('blog_id')
  const optionsOf = ({ blog_id }: BlogRow) => `${blogPrefix(globals.basePrefix, blog_id)}options`
  const there: { name: string }[] = await db
    .sql('information_schema.tables')
    .whereRaw('table_schema = DATABASE()')
    .whereIn('table_name', rows.map(optionsOf))
    .select({ name: 'table_name' })
  const found = new Set(there.map(({ name }) => name))
  return rows.filter((row) => !found.has(optionsOf(row)))
}
