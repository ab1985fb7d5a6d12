import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'

/** What an item of a menu links: `page` or another type of posts, or a taxonomy, and the id. */
export type LinkedObject = { readonly object: string; readonly id: number }

type LinkTitle = LinkedObject & { readonly title: string }

/**
 * The stored titles of pages and published posts, and names of terms. They are HTML. Other posts are left out: not everybody who reads a menu may know them.
 * Two statements: tables of WordPress may have different collations, which no `UNION` takes.
 * @returns of those that exist; in any order, and perhaps also of others with the same ids
 */
export async function readLinkTitles(
  db: Db,
  { tables }: Site,
  links: readonly LinkedObject[],
): Promise<LinkTitle[]> {
  if (links.length === 0) return []
  const ids = [...new Set(links.map(({ id }) => id))]
  const objects = [...new Set(links.map(({ object }) => object))]
  const values = { ...tables, ids, objects }
  const [ofPosts, ofTerms] = await Promise.all([
    readRows<LinkTitle>(
      db,
      `SELECT post_type AS object, ID AS id, post_title AS title
        FROM :posts: WHERE ID IN (:ids) AND post_type IN (:objects) AND (post_type = 'page' OR post_status = 'publish')`,
      values,
    ),
    readRows<LinkTitle>(
      db,
      `SELECT tt.taxonomy AS object, t.term_id AS id, t.name AS title
        FROM :termTaxonomy: AS tt JOIN :terms: AS t ON t.term_id = tt.term_id
        WHERE tt.term_id IN (:ids) AND tt.taxonomy IN (:objects)`,
      values,
    ),
  ])
  return [...ofPosts, ...ofTerms]
}
