import { PAGE_META_KEY, recordOption } from '../../src/content/frames/option-names.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import type { SqlDatabase } from './open-database.ts'
import { NO_TEXTS } from './site-fixture.ts'

/** A site and what of it other programs edit. */
export type EditableSite = Awaited<ReturnType<typeof readEditable>>

/** All pages, items, menus and frames of a site. */
export async function readEditable(db: SqlDatabase, site: Site) {
  const { posts, options, termTaxonomy } = site.tables
  const ofType = (post_type: string) => db.sql(posts).where({ post_type }).orderBy('ID').pluck('ID')
  const records: string[] = await db
    .sql(options)
    .whereRaw("option_name REGEXP '^svc_frame_[0-9a-f]{16}$'")
    .pluck('option_name')
  const frames = records.map((name) => name.slice(recordOption('').length))
  const menus = db.sql(termTaxonomy).where({ taxonomy: 'nav_menu' }).orderBy('term_id')
  return {
    db,
    site,
    /** Ids of frames whose records are written. */
    frames,
    /** Ids of frames to which pages are assigned. */
    assignable: frames,
    /** Ids of pages, deleted ones too. Those that are inserted are added. */
    pages: await ofType('page'),
    /** Ids of menu items. */
    items: await ofType('nav_menu_item'),
    /** Term ids of menus. */
    menus: await menus.pluck('term_id'),
  }
}

/** Frames of pages: they show everything that a page can show. */
export const FRAMES = {
  list:
    '<!-- svc/frame {"name":"header"} /--><h1 data-op-bind="page.title"></h1><!-- svc/content /-->' +
    '<!-- svc/repeat {"source":"page.children"} --><a data-op-bind="href:item.url; item.title"></a><!-- /svc/repeat -->',
  crumbs:
    '<!-- svc/frame {"name":"header"} /--><!-- svc/repeat {"source":"page.ancestors"} --><a data-op-bind="href:item.url; item.title"></a><!-- /svc/repeat -->' +
    '<!-- svc/lang-switcher /--><i data-op-bind="href:page.url; page.modified"></i>',
  plain: '<h2 data-op-bind="page.title"></h2><!-- svc/data {"source":"dataset.news.0"} /-->',
  index:
    '<!-- svc/repeat {"source":"pages"} --><a data-op-bind="href:item.url; item.title"></a><!-- /svc/repeat --><b data-op-bind="settings.date_format"></b>',
  header:
    '<!-- svc/menu {"location":"header","current":true} /--><b data-op-bind="href:site.url; site.title"></b><!-- svc/menu {"location":"footer_1"} /-->',
}

/** Public pages of an open site, at least. */
const MIN_PAGES = 14

/** A closed site and pages that are not public show nothing. Opens the site, and makes two thirds of its pages public and a number of them assigned to frames. */
export async function openSite(editable: EditableSite): Promise<void> {
  const { db, site, pages, assignable } = editable
  const { posts, postmeta } = site.tables
  const { sql } = db
  await sql(site.globals.blogs).where({ blog_id: site.blogId }).update({ archived: 0 })
  await sql(posts)
    .where({ post_type: 'page' })
    .whereRaw('ID % 3 > 0')
    .update({ post_status: 'publish', post_password: '' })
  const assigned = sql(postmeta).where({ meta_key: PAGE_META_KEY }).select('post_id')
  const shown: number[] = await sql(posts)
    .where({ post_type: 'page', post_status: 'publish', post_password: '' })
    .whereIn('ID', assigned)
    .pluck('ID')
  for (let at = shown.length; at < MIN_PAGES; at += 1) {
    const parent = at % 2 === 0 ? 0 : (shown[at % shown.length] ?? 0)
    const frame = assignable[at % assignable.length] ?? ''
    await insertPage(editable, { name: `page-${pages.length}`, parent, frame })
  }
}

/** Inserts a public page on a frame. */
export async function insertPage(
  { db, site, pages }: EditableSite,
  { name, parent = 0, frame }: { name: string; parent?: number; frame: string },
): Promise<void> {
  const columns = { post_title: name, post_name: name, post_parent: parent }
  const [ID] = await db.sql(site.tables.posts).insert({ ...NEW_PAGE, ...columns })
  pages.push(Number(ID))
  const meta = { post_id: ID, meta_key: PAGE_META_KEY, meta_value: frame }
  await db.sql(site.tables.postmeta).insert(meta)
}

const NEW_PAGE = {
  ...NO_TEXTS,
  post_author: 1,
  post_type: 'page',
  post_status: 'publish',
  post_content: '<p>new</p>',
  post_date: '2026-01-01 00:00:00',
  post_date_gmt: '2026-01-01 00:00:00',
  post_modified: '2026-01-01 00:00:00',
  post_modified_gmt: '2026-01-01 00:00:00',
}
