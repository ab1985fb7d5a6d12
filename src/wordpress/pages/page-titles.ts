import type { Db } from '../../db/database.ts'
import { commonText, selectFromSites } from '../network/select-from-sites.ts'
import type { Site } from '../network/site.ts'

type TitleRow = { readonly blog_id: number; readonly id: number; readonly title: string }

/** The stored titles of pages of several sites, by blog id and page id, with one statement for 200 sites. They are HTML. */
export async function readPageTitles(
  db: Db,
  sites: readonly { readonly site: Site; readonly ids: readonly number[] }[],
): Promise<Map<number, Map<number, string>>> {
  const wanted = new Map(sites.map(({ site, ids }) => [site.blogId, ids]))
  const rows = await selectFromSites<TitleRow>(
    db,
    sites.map(({ site }) => site),
    ({ blogId, tables }) => {
      const ids = wanted.get(blogId) ?? []
      const placeholders = ids.map(() => '?').join(', ')
      return {
        statement: `SELECT ? AS blog_id, ID AS id, ${commonText('post_title')} AS title
          FROM ?? WHERE ID IN (${placeholders}) AND post_type = 'page'`,
        values: [blogId, tables.posts, ...ids],
      }
    },
  )
  return new Map(
    [...rows].map(([blogId, titles]) => [
      blogId,
      new Map(titles.map(({ id, title }) => [id, title])),
    ]),
  )
}
