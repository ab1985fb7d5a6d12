import { storeRows } from '../../../src/db/sql.ts'
import type { InsertedRow } from '../../../src/db/written-tables.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { createSiteFixture, NO_TEXTS, type SiteFixture } from '../../support/site-fixture.ts'
import { frameId } from '../setup/content.ts'
import { getSite } from '../setup/open-database.ts'
import { insertLanguages, LANGUAGE_OPTIONS } from './languages.ts'
import { generatePages, type Lang, type TreePage } from './page-tree.ts'
import { SITE_FRAMES } from './site-frames.ts'
import {
  addToNetwork,
  createTables,
  homeOf,
  type NewSite,
  nameOf,
  rolesOf,
  tableOf,
} from './site-tables.ts'

/** What a site is generated with. */
export type SitePlan = NewSite & { readonly pageCount: number; readonly hasLanguages: boolean }

/** A site of the test network whose other options the generated sites get. */
const MODEL = 3
const THEME = 'opal'
const WRITTEN_AT = '2026-01-02 03:04:05'
const CONTENT_BYTES = 2048

/** The content of a page when it is generated. */
export const contentOf = (mark: string): string =>
  `<!-- wp:paragraph -->\n<p>${`${mark}. `.padEnd(CONTENT_BYTES, 'A paragraph of a page that people read. ')}</p>\n<!-- /wp:paragraph -->`

/** Creates a site with pages, frames, menus and, if asked, two languages of Polylang, and adds it to the network. Builds nothing. */
export async function createSite(db: SqlDatabase, plan: SitePlan): Promise<void> {
  const { blogId, pageCount, hasLanguages } = plan
  const pages = generatePages(pageCount, hasLanguages)
  await createTables(db, MODEL, blogId)
  await insertOptions(db, plan, pages)
  if (hasLanguages) await insertLanguages(db, blogId, pages)
  await insertPages(db, blogId, pages)
  await addToNetwork(db, [plan])
  const fixture = createSiteFixture(db, await getSite(db, blogId))
  await fixture.replaceFrames(SITE_FRAMES.map((frame) => ({ id: frameId(frame.slug), ...frame })))
  await createMenus(fixture, pages)
}

/** Options of the model that a generated site does not get: those of its content, and what WordPress computes again. */
const OMITTED = '^(svc_|theme_mods_|polylang|nav_menu_options$|rewrite_rules$|cron$|_)'

async function insertOptions(
  { sql }: SqlDatabase,
  plan: SitePlan,
  pages: readonly TreePage[],
): Promise<void> {
  const { blogId } = plan
  const options = tableOf(blogId, 'options')
  await sql.raw(
    `INSERT INTO ?? (option_name, option_value, autoload)
      SELECT IF(option_name = ?, ?, option_name), option_value, autoload FROM ?? WHERE option_name NOT REGEXP ?`,
    [options, rolesOf(MODEL), rolesOf(blogId), tableOf(MODEL, 'options'), OMITTED],
  )
  const own = Object.entries(ownOptions(plan, pages)).map(([option_name, option_value]) => ({
    option_name,
    option_value,
    autoload: 'on',
  }))
  await sql(options).insert(own).onConflict('option_name').merge()
}
const ownOptions = (plan: SitePlan, pages: readonly TreePage[]): Record<string, string> => ({
  home: homeOf(plan),
  siteurl: homeOf(plan),
  blogname: nameOf(plan),
  blogdescription: 'A site of a network',
  template: THEME,
  stylesheet: THEME,
  permalink_structure: '/%postname%/',
  show_on_front: 'page',
  page_on_front: String(pages[0]?.id ?? 0),
  svc_data_news: JSON.stringify([{ title: 'News' }, { title: 'Older news' }]),
  ...(plan.hasLanguages ? LANGUAGE_OPTIONS : {}),
})

async function insertPages(
  db: SqlDatabase,
  blogId: number,
  pages: readonly TreePage[],
): Promise<void> {
  const posts = pages.map((page): InsertedRow => ({ ID: page.id, ...pageColumns(page) }))
  const assignments = pages.map(
    ({ id, frame }): InsertedRow => ({
      post_id: id,
      meta_key: '_svc_frame',
      meta_value: frameId(frame),
    }),
  )
  await db.write({}, (tx) =>
    storeRows(tx, [
      { table: tableOf(blogId, 'posts'), rows: posts },
      { table: tableOf(blogId, 'postmeta'), rows: assignments },
    ]),
  )
}

/** The columns of a page, as WordPress stores them. */
const pageColumns = ({ slug, parent }: TreePage) => ({
  ...NO_TEXTS,
  post_author: 1,
  post_date: WRITTEN_AT,
  post_date_gmt: WRITTEN_AT,
  post_content: contentOf(slug),
  post_title: `Page ${slug}`,
  post_status: 'publish',
  comment_status: 'closed',
  ping_status: 'closed',
  post_name: slug,
  post_modified: WRITTEN_AT,
  post_modified_gmt: WRITTEN_AT,
  post_parent: parent,
  post_type: 'page',
})

const HEADER_ITEMS = 20
const FOOTER_ITEMS = 5
/** Items of a header menu that link to pages. They have no titles of their own. */
const LINKED_PAGES = 8

/** The name of the menu of a location. */
export const menuName = (location: string, lang: Lang | null): string =>
  [location, lang].filter(Boolean).join(' ')

/** Creates the menus of a site: one for the header in each language, and one for the footer. */
async function createMenus(fixture: SiteFixture, pages: readonly TreePage[]): Promise<void> {
  const links = (location: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      title: `Link ${location} ${index}`,
      url: `/${location}/${index}/`,
    }))
  const create = (location: string, lang: Lang | null, items: readonly object[]) =>
    fixture.menu({ name: menuName(location, lang), location, lang: lang ?? undefined, items })
  const langs = [...new Set(pages.map(({ lang }) => lang))]
  for (const lang of langs) {
    const linked = pages.filter((page) => page.lang === lang && page.role === 'top')
    const items = linked.slice(0, LINKED_PAGES).map(({ id }) => ({ page: id }))
    const rest = links('header', HEADER_ITEMS - items.length)
    await create('header', lang, [...items, ...rest])
  }
  await create('footer_1', langs[0] ?? null, links('footer_1', FOOTER_ITEMS))
}
