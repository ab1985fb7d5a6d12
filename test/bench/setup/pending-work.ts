import { pagesTable, workTable } from '../../../src/content/work/work-tables.ts'
import type { GlobalTables } from '../../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../support/open-database.ts'

/**
 * Whether work is left.
 * @param blogId only that of this site [of all sites]
 */
export async function isWorkLeft(
  { sql }: SqlDatabase,
  globals: GlobalTables,
  blogId?: number,
): Promise<boolean> {
  const site = blogId === undefined ? {} : { blog_id: blogId }
  const rows = await Promise.all([
    sql(workTable(globals)).where(site).first(sql.raw('1')),
    sql(pagesTable(globals))
      .where(site)
      .whereRaw('(due_at IS NOT NULL OR purge_by IS NOT NULL)')
      .first(sql.raw('1')),
  ])
  return rows.some((row) => row !== undefined)
}
