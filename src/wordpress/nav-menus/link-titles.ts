import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'

/** What an item of a menu links: `page` or another type of posts, or a taxonomy, and the id. */
export type LinkedObject = { readonly object: string; readonly id: number }

type LinkTitle = LinkedObject & { readonly title: string }

/**
 * The stored titles of posts and names of terms, with one statement. They are HTML.
 * @returns of those that exist; in any order, and perhaps also of others with the same ids
 */
export async function readLinkTitles(
  db: Db,
  { tables: { posts, terms, termTaxonomy } }: Site,
  links: readonly LinkedObject[],
): Promise<LinkTitle[]> {
  if (links.length === 0) return []
  const ids = [...new Set(links.map(({ id }) => id))]
  const objects = [...new Set(links.map(({ object }) => object))]
  return readRows<LinkTitle>(
    db,
    `SELECT post_type AS object, ID AS id, post_title AS title
      FROM :posts: WHERE ID IN (:ids) AND post_type IN (:objects)
    UNION ALL SELECT tt.taxonomy, t.term_id, t.name
      FROM :termTaxonomy: AS tt JOIN :terms: AS t ON t.term_id = tt.term_id
      WHERE tt.term_id IN (:ids) AND tt.taxonomy IN (:objects)`,
    { posts, terms, termTaxonomy, ids, objects },
  )
}
