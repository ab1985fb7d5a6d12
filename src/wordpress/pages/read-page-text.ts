import type { Db } from '../../db/database.ts'
import type { Site } from '../network/site.ts'

/** The stored texts of a page. */
export type PageText = { readonly content: string; readonly excerpt: string }

/** A page's content and excerpt as stored: no filter, shortcode or block has been run on them. */
export async function readPageText(db: Db, site: Site, id: number): Promise<PageText> {
  const row: { post_content: string; post_excerpt: string } | undefined = await db
    .sql(site.tables.posts)
    .select('post_content', 'post_excerpt')
    .where({ ID: id })
    .first()
  return { content: row?.post_content ?? '', excerpt: row?.post_excerpt ?? '' }
}
