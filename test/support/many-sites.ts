import { inBatches } from '../../src/db/sql.ts'
import { blogPrefix } from '../../src/wordpress/network/site.ts'
import type { TestNetwork } from './network.ts'

/** Blog id of the first added site; the others follow. */
const FIRST_ID = 1000
const STATEMENTS_AT_ONCE = 50

/** The host of an added site. */
export const hostOf = (blogId: number): string => `s${blogId}.test`

/** Adds sites that have only an options table, a copy of that of site 3, each with a host of its own. */
export async function addSites({ db, globals }: TestNetwork, count: number) {
  const blogIds = Array.from({ length: count }, (_, at) => FIRST_ID + at)
  const optionsOf = (blogId: number) => `${blogPrefix(globals.basePrefix, blogId)}options`
  const forEach = async (work: (blogId: number) => Promise<unknown>) => {
    for (const batch of inBatches(blogIds, STATEMENTS_AT_ONCE)) await Promise.all(batch.map(work))
  }
  await forEach(async (blogId) => {
    const table = optionsOf(blogId)
    await db.sql.raw('CREATE TABLE ?? LIKE ??', [table, optionsOf(3)])
    await db.sql.raw(
      `INSERT INTO ?? SELECT option_id, option_name, IF(option_name IN ('home', 'siteurl'), ?, option_value), autoload
        FROM ?? WHERE option_name IN ('home', 'siteurl', 'blogname')`,
      [table, `http://${hostOf(blogId)}`, optionsOf(3)],
    )
  })
  const dates = { registered: '2026-01-01 00:00:00', last_updated: '2026-01-01 00:00:00' }
  await db.sql(globals.blogs).insert(
    blogIds.map((blog_id) => ({
      blog_id,
      site_id: 1,
      domain: hostOf(blog_id),
      path: '/',
      ...dates,
    })),
  )
  return {
    blogIds,
    remove: async () => {
      await db.sql(globals.blogs).whereIn('blog_id', blogIds).delete()
      await forEach((blogId) => db.sql.raw('DROP TABLE IF EXISTS ??', [optionsOf(blogId)]))
    },
  }
}
