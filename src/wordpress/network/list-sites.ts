import type { Db } from '../../db/database.ts'
import { siteIfInstalled } from './find-site.ts'
import { BLOG_COLUMNS, type BlogRow, type GlobalTables, type Site } from './site.ts'

/** All sites of the installation by id, whatever their state. */
export async function listSites(db: Db, globals: GlobalTables): Promise<Site[]> {
  const rows = await db
    .sql<BlogRow>(globals.blogs)
    .select(...BLOG_COLUMNS)
    .orderBy('blog_id')
  const sites = await Promise.all(rows.map((row) => siteIfInstalled(db, globals, row)))
  return sites.filter((site) => site !== undefined)
}

/** The sites that can be managed, by id: archived ones and spam too, deleted ones and those never activated not. */
export async function listManageableSites(db: Db, globals: GlobalTables): Promise<Site[]> {
  return (await listSites(db, globals)).filter(({ deleted }) => !deleted)
}
