import { encodePhp } from '#php-serialized'
import { insertRows } from '../../../../src/db/sql.ts'
import type { InsertedRow } from '../../../../src/db/written-tables.ts'
import { findSite } from '../../../../src/wordpress/network/find-sites.ts'
import { blogPrefix, globalTables, type Site } from '../../../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../../support/open-database.ts'
import { createSiteFixture } from '../../../support/site-fixture.ts'
import { frameId } from '../../setup/put-frames.ts'
import { insertLanguages, POLYLANG, POLYLANG_OPTION } from './languages.ts'
import { createMenus, THEMES } from './menus.ts'
import { generatePages, type TreePage } from './page-tree.ts'
import { SITE_FRAMES } from './site-frames.ts'
import { addToNetwork, createTables, homeOf, type NewSite, nameOf, tableOf } from './site-tables.ts'

/** What a site is generated with. */
export type SitePlan = NewSite & { readonly pageCount: number; readonly hasLanguages: boolean }

/** A site of the test network whose other options the generated sites get. */
const MODEL = 3
const WRITTEN_AT = '2026-01-02 03:04:05'
const CONTENT_BYTES = 2048

/** The title and the content of a page when it is generated. */
export const titleOf = ({ slug }: TreePage): string => `Page ${slug}`
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
  const site = await getSite(db, blogId)
  const frames = SITE_FRAMES.map((frame) => ({ id: frameId(frame.slug), ...frame }))
  await createSiteFixture(db, site).replaceFrames(frames)
  await createMenus(db, site, pages)
}

/** @throws Error if there is no site with this blog id */
export async function getSite(db: SqlDatabase, blogId: number): Promise<Site> {
  const site = await findSite(db, globalTables('wp_'), blogId)
  if (!site) throw new Error(`there is no site ${blogId}`)
  return site
}

/** Names of the options of the model that a generated site does not get: those of its content, and what WordPress computes again. */
const OMITTED = /^(?:svc_.*|theme_mods_.*|polylang.*|nav_menu_options|rewrite_rules|cron|_.*)$/

async function insertOptions(
  db: SqlDatabase,
  plan: SitePlan,
  pages: readonly TreePage[],
): Promise<void> {
  const model: InsertedRow[] = await db
    .sql(tableOf(MODEL, 'options'))
    .select('option_name', 'option_value', 'autoload')
  const kept = model.filter(({ option_name: name }) => !OMITTED.test(String(name)))
  const modelRoles = `${blogPrefix('wp_', MODEL)}user_roles`
  const options = new Map(kept.map((row) => [String(row.option_name), row]))
  for (const [name, value] of Object.entries(ownOptions(plan, pages)))
    options.set(name, { option_name: name, option_value: value, autoload: 'on' })
  const rows = [...options.values()].map((row) =>
    row.option_name === modelRoles
      ? { ...row, option_name: `${blogPrefix('wp_', plan.blogId)}user_roles` }
      : row,
  )
  await db.write({}, (tx) => insertRows(tx, [{ table: tableOf(plan.blogId, 'options'), rows }]))
}

function ownOptions(plan: SitePlan, pages: readonly TreePage[]): Record<string, string> {
  const [theme] = THEMES
  return {
    home: homeOf(plan),
    siteurl: homeOf(plan),
    blogname: nameOf(plan),
    blogdescription: 'A site of a network',
    template: theme,
    stylesheet: theme,
    permalink_structure: '/%postname%/',
    show_on_front: 'page',
    page_on_front: String(pages[0]?.id ?? 0),
    svc_data_news: newsOption('first'),
    ...(plan.hasLanguages
      ? { active_plugins: encodePhp([POLYLANG]), polylang: POLYLANG_OPTION }
      : {}),
  }
}

/** The dataset that the sitemap shows. */
export const newsOption = (mark: string): string =>
  JSON.stringify([{ title: `News ${mark}` }, { title: 'Older news' }])

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
    insertRows(tx, [
      { table: tableOf(blogId, 'posts'), rows: posts },
      { table: tableOf(blogId, 'postmeta'), rows: assignments },
    ]),
  )
}

/** The columns of a page, as WordPress stores them. */
export function pageColumns(page: TreePage): InsertedRow {
  return {
    post_author: 1,
    post_date: WRITTEN_AT,
    post_date_gmt: WRITTEN_AT,
    post_content: contentOf(page.slug),
    post_title: titleOf(page),
    post_excerpt: '',
    post_status: 'publish',
    comment_status: 'closed',
    ping_status: 'closed',
    post_name: page.slug,
    to_ping: '',
    pinged: '',
    post_content_filtered: '',
    post_modified: WRITTEN_AT,
    post_modified_gmt: WRITTEN_AT,
    post_parent: page.parent,
    post_type: 'page',
  }
}
