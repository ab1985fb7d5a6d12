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
    ({ blogId, tables: { posts } }) => ({
      statement: `SELECT :blogId AS blog_id, ID AS id, ${commonText('post_title')} AS title
        FROM :posts: WHERE ID IN (:ids) AND post_type = 'page'`,
      values: { blogId, posts, ids: [...(wanted.get(blogId) ?? [])] },
    }),
  )
  return new Map(
    [...rows].map(([blogId, titles]) => [
      blogId,
      new Map(titles.map(({ id, title }) => [id, title])),
    ]),
  )
}
