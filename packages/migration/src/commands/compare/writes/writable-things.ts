import { readFrames } from '#wp-frames/content/frames/read-frame'
import { readSiteGraph } from '#wp-frames/content/frames/read-graph'
import type { Database } from '#wp-frames/db/database'
import { readRows } from '#wp-frames/db/sql'
import { readLanguages } from '#wp-frames/wordpress/languages/languages'
import { listMenus } from '#wp-frames/wordpress/nav-menus/nav-menu'
import type { Site } from '#wp-frames/wordpress/network/site'
import type { WritableThings } from '../../../compare/write-steps.ts'

/** What generated writes of a site are made of. */
export async function readWritableThings(db: Database, site: Site): Promise<WritableThings> {
  const pages = (status: string) =>
    readRows<{ ID: number }>(
      db,
      `SELECT ID FROM :posts: WHERE post_type = 'page' AND post_status = :status AND post_password = ''
        ORDER BY ID LIMIT 2`,
      { posts: site.tables.posts, status },
    )
  const [published, [draft], graph, menus, languages] = await Promise.all([
    pages('publish'),
    pages('draft'),
    readSiteGraph(db, site),
    listMenus(db, site),
    readLanguages(db, site),
  ])
  const [smallest] = graph.all().toSorted((a, b) => a.meta.bytes - b.meta.bytes)
  const [frame] = smallest ? await readFrames(db, site, [smallest]) : []
  const [menu] = menus
  const others = languages.list.map(({ slug }) => slug).filter((slug) => slug !== languages.default)
  return {
    pages: published.map(({ ID }) => Number(ID)),
    draft: draft && Number(draft.ID),
    frame: frame && { slug: frame.record.slug, html: frame.record.html },
    menu: menu && { id: menu.id, slug: menu.slug },
    languages: languages.default === null ? [] : [languages.default, ...others],
  }
}
