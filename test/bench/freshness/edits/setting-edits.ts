import { recordOption } from '../../../../src/content/frames/option-names.ts'
import { encodeRecord } from '../../../../src/content/frames/record.ts'
import { frameId } from '../../setup/put-frames.ts'
import { type Expectation, shows } from '../copy-watch.ts'
import type { MeasuredPage, MeasuredSite } from '../measured-site.ts'
import { newsOption } from '../network/fill-site.ts'
import { menuName } from '../network/menus.ts'
import { sitemapMarkup } from '../network/site-frames.ts'
import { type EditKind, type Statement, single } from './edit.ts'
import { updatePost } from './page-edits.ts'

const SITEMAP = 'page-sitemap'
const CREATED_AT = '2026-01-02 03:04:05'

/** The statement of `update_option`. */
export const updateOption = (site: MeasuredSite, name: string, value: string): Statement => [
  'UPDATE ?? SET option_value = ? WHERE option_name = ?',
  [site.table('options'), value, name],
]

/** Edits that the sitemap shows, and no other page. */
export const SETTING_EDITS: readonly EditKind[] = [
  shownBySitemap('tagline (blogdescription)', (site, mark) => [
    updateOption(site, 'blogdescription', `Tagline ${mark}`),
  ]),
  shownBySitemap('date format', (site, mark) => [updateOption(site, 'date_format', mark)]),
  shownBySitemap('dataset', (site, mark) => [
    updateOption(site, 'svc_data_news', newsOption(mark)),
  ]),
  shownBySitemap('dataset restored by SQL', (site, mark) => [
    [
      "REPLACE INTO ?? SELECT option_id, option_name, ?, autoload FROM ?? WHERE option_name = 'svc_data_news'",
      [site.table('options'), newsOption(mark), site.table('options')],
    ],
  ]),
  shownBySitemap('markup of a frame written by PHP', (site, mark) => {
    const times = { created_at_gmt: CREATED_AT, updated_at_gmt: CREATED_AT, updated_by: 0 }
    const record = encodeRecord({ slug: SITEMAP, html: sitemapMarkup(mark), ...times })
    return [updateOption(site, recordOption(frameId(SITEMAP)), record)]
  }),
  shownBySitemap('title of a menu item', async (site, mark) => {
    const [item = 0] = await footerItems(site)
    return [updatePost(site, item, { post_title: `Item ${mark}` })]
  }),
  shownBySitemap('meta of a menu item alone', async (site, mark) => {
    const [item = 0] = await footerItems(site)
    return [
      [
        "UPDATE ?? SET meta_value = ? WHERE post_id = ? AND meta_key = '_menu_item_url'",
        [site.table('postmeta'), `/${mark}/`, item],
      ],
    ]
  }),
  single('order of menu items', (site) => async () => {
    const items = await footerItems(site)
    const [first = 0, second = 0] = items
    return {
      statements: [
        [
          'UPDATE ?? SET menu_order = IF(ID = ?, 2, 1) WHERE ID IN (?, ?)',
          [site.table('posts'), first, first, second],
        ],
      ],
      expected: [precedes(site.fileOf(sitemapOf(site)), second, first)],
    }
  }),
]

/** An edit after which the sitemap shows the mark. */
function shownBySitemap(
  title: string,
  statements: (site: MeasuredSite, mark: string) => Statement[] | Promise<Statement[]>,
): EditKind {
  return single(title, (site) => async (mark) => ({
    statements: await statements(site, mark),
    expected: [shows(site.fileOf(sitemapOf(site)), mark)],
  }))
}

const sitemapOf = (site: MeasuredSite): MeasuredPage =>
  site.next('sitemap', ({ frame }) => frame === SITEMAP)

/** Ids of the items of the footer's menu, in order. */
const footerItems = (site: MeasuredSite): Promise<number[]> =>
  readItems(site, menuName({ theme: site.theme, location: 'footer_1', lang: 'en' }))

/** Ids of the items of a menu, in order. */
export async function readItems(site: MeasuredSite, name: string): Promise<number[]> {
  const [rows] = await site.db.sql.raw(
    `SELECT p.ID FROM ?? t JOIN ?? tt ON tt.term_id = t.term_id
      JOIN ?? r ON r.term_taxonomy_id = tt.term_taxonomy_id
      JOIN ?? p ON p.ID = r.object_id
      WHERE t.name = ? ORDER BY p.menu_order, p.ID`,
    [
      site.table('terms'),
      site.table('term_taxonomy'),
      site.table('term_relationships'),
      site.table('posts'),
      name,
    ],
  )
  return rows.map(({ ID }: { ID: number }) => ID)
}

/** The copy prints a menu item before another one. */
function precedes(file: string, first: number, second: number): Expectation {
  const at = (html: string, item: number) => html.indexOf(`id="menu-item-${item}"`)
  return {
    file,
    isTrue: (html) =>
      html !== undefined && at(html, first) >= 0 && at(html, first) < at(html, second),
  }
}
