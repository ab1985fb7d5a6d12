import { recordOption } from '../../../src/content/frames/option-names.ts'
import { encodeRecord } from '../../../src/content/frames/record.ts'
import { contentOf, menuName } from '../generated/fill-site.ts'
import type { Lang } from '../generated/page-tree.ts'
import { sitemapMarkup } from '../generated/site-frames.ts'
import { frameId } from '../setup/content.ts'
import { type Expectation, isGone, shows } from './copy-watch.ts'
import { type Edit, type EditStatement, MODIFIED } from './measure-edit.ts'
import type { MeasuredPage, MeasuredSite } from './measured-site.ts'

/** @param mark a text that no page shows yet; also valid as a slug */
type MakeEdit = (mark: string) => Edit | Promise<Edit>

/**
 * A kind of edits. Several follow one another, each when the copies show the former one, if a kind must be reversed before it can be
 * repeated. What all kinds build is a matter of tests and of the trial `edits` of the torture run: these are some of each effort.
 */
export type EditKind = {
  /** The names of the edits in the table. */
  readonly titles: readonly string[]
  /** Chooses what to edit, and returns as many edits as there are titles. */
  begin(site: MeasuredSite): readonly MakeEdit[]
}

/** A kind of one edit. */
const single = (title: string, begin: (site: MeasuredSite) => MakeEdit): EditKind => ({
  titles: [title],
  begin: (site) => [begin(site)],
})

const SITEMAP = 'page-sitemap'

const isLeaf = (page: MeasuredPage, lang: string, frame: string): boolean =>
  page.role === 'leaf' && page.lang === lang && page.frame === frame

/** Pages for different kinds of edits, so that no edit hides the mark of another one. */
const POOLS = {
  /** Their titles are shown by no other page: the list of pages is in the other language. */
  unlisted: (page: MeasuredPage) => isLeaf(page, 'fr', 'page-plain'),
  text: (page: MeasuredPage) => isLeaf(page, 'en', 'page-plain'),
  replaced: (page: MeasuredPage) => isLeaf(page, 'fr', 'page-article'),
  /** Their parents list them. */
  tree: (page: MeasuredPage) => isLeaf(page, 'en', 'page-article'),
  sitemap: ({ frame }: MeasuredPage) => frame === SITEMAP,
}

/** The next page of a pool. */
const take = (site: MeasuredSite, pool: keyof typeof POOLS): MeasuredPage =>
  site.next(pool, POOLS[pool])

/** The statement of an update of a post in the editor. */
export const updatePost = (
  site: MeasuredSite,
  id: number,
  column: 'post_title' | 'post_content' | 'post_name',
  value: string,
): EditStatement => [
  `UPDATE ?? SET ${column} = ?, ${MODIFIED} WHERE ID = ?`,
  [site.table('posts'), value, id],
]

/** What the editor writes after a page: a revision, and who edited the page last. */
function revisionOf(site: MeasuredSite, id: number): EditStatement[] {
  const posts = site.table('posts')
  const columns =
    'post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered'
  return [
    [
      `INSERT INTO ?? (${columns}, post_status, post_name, post_parent, post_type)
        SELECT ${columns}, 'inherit', CONCAT(ID, '-revision-v1'), ID, 'revision' FROM ?? WHERE ID = ?`,
      [posts, posts, id],
    ],
    [
      "INSERT INTO ?? (post_id, meta_key, meta_value) VALUES (?, '_edit_last', '1')",
      [site.table('postmeta'), id],
    ],
  ]
}

/** An edit of the title of a page, which other pages may show. */
const titleEdit = (
  title: string,
  pool: keyof typeof POOLS,
  showing: (site: MeasuredSite, page: MeasuredPage) => readonly MeasuredPage[],
): EditKind =>
  single(title, (site) => {
    const page = take(site, pool)
    return (mark) => ({
      statements: [updatePost(site, page.id, 'post_title', `Title ${mark}`)],
      afterwards: revisionOf(site, page.id),
      expected: [page, ...showing(site, page)].map((one) =>
        shows(site.fileOf(one), `Title ${mark}`),
      ),
    })
  })

/** The title of a page that no other page shows. */
export const TITLE_EDIT = titleEdit('title of a page', 'unlisted', () => [])

/** Edits of single pages that no other page shows. */
export const TEXT_EDITS: readonly EditKind[] = [
  TITLE_EDIT,
  single('content of a page', (site) => {
    const page = take(site, 'text')
    return (mark) => ({
      statements: [updatePost(site, page.id, 'post_content', contentOf(mark))],
      afterwards: revisionOf(site, page.id),
      expected: [shows(site.fileOf(page), `<p>${mark}.`)],
    })
  }),
  // As `wp search-replace` does: only the column, without the date.
  single('content of a page, by SQL only', (site) => {
    const page = take(site, 'replaced')
    return (mark) => ({
      statements: [
        [
          "UPDATE ?? SET post_content = CONCAT(REGEXP_REPLACE(post_content, '<p>mark .*</p>', ''), ?) WHERE ID = ?",
          [site.table('posts'), `<p>mark ${mark}</p>`, page.id],
        ],
      ],
      expected: [shows(site.fileOf(page), `<p>mark ${mark}</p>`)],
    })
  }),
]

/** Edits of pages that other pages show. */
export const TREE_EDITS: readonly EditKind[] = [
  single('slug of a page', (site) => {
    const page = take(site, 'tree')
    return (mark) => {
      const former = site.fileOf(page)
      page.slug = mark
      const showing = [site.page(page.parent), site.page(page.translation)]
      return {
        statements: [updatePost(site, page.id, 'post_name', mark)],
        afterwards: revisionOf(site, page.id),
        expected: [
          shows(site.fileOf(page), '</html>'),
          isGone(former),
          ...showing.map((one) => shows(site.fileOf(one), site.linkTo(page))),
        ],
      }
    }
  }),
  titleEdit('title of a page that its parent lists', 'tree', (site, { parent }) => [
    site.page(parent),
  ]),
]

const CREATED_AT = '2026-01-02 03:04:05'

/** The statement of `update_option`. */
const updateOption = (site: MeasuredSite, name: string, value: string): EditStatement => [
  'UPDATE ?? SET option_value = ? WHERE option_name = ?',
  [site.table('options'), value, name],
]

/** Edits that the sitemap shows, and no other page. */
export const SETTING_EDITS: readonly EditKind[] = [
  shownBySitemap('tagline (blogdescription)', async (site, mark) =>
    updateOption(site, 'blogdescription', `Tagline ${mark}`),
  ),
  shownBySitemap('markup of a frame written by PHP', async (site, mark) => {
    const times = { created_at_gmt: CREATED_AT, updated_at_gmt: CREATED_AT, updated_by: 0 }
    const record = encodeRecord({ slug: SITEMAP, html: sitemapMarkup(mark), ...times })
    return updateOption(site, recordOption(frameId(SITEMAP)), record)
  }),
  shownBySitemap('title of a menu item', async (site, mark) =>
    updatePost(site, await lastItem(site, 'footer_1', 'en'), 'post_title', `Item ${mark}`),
  ),
]

/** An edit after which the sitemap shows the mark. */
function shownBySitemap(
  title: string,
  statement: (site: MeasuredSite, mark: string) => Promise<EditStatement>,
): EditKind {
  return single(title, (site) => async (mark) => ({
    statements: [await statement(site, mark)],
    expected: [shows(site.fileOf(take(site, 'sitemap')), mark)],
  }))
}

/** Id of the last item of a menu. */
export async function lastItem(site: MeasuredSite, location: string, lang: Lang): Promise<number> {
  const [rows] = await site.db.sql.raw(
    `SELECT p.ID FROM ?? t JOIN ?? tt ON tt.term_id = t.term_id
      JOIN ?? r ON r.term_taxonomy_id = tt.term_taxonomy_id
      JOIN ?? p ON p.ID = r.object_id
      WHERE t.name = ? ORDER BY p.menu_order DESC LIMIT 1`,
    [
      site.table('terms'),
      site.table('term_taxonomy'),
      site.table('term_relationships'),
      site.table('posts'),
      menuName(location, lang),
    ],
  )
  return rows[0].ID
}

/** Copies that are compared after an edit that changes all pages of a site. */
const SAMPLE = 40

const onSample = (
  site: MeasuredSite,
  expectation: (file: string) => Expectation,
  among?: (page: MeasuredPage) => boolean,
): Expectation[] => site.sample(SAMPLE, among).map((page) => expectation(site.fileOf(page)))

/** Edits that change all or most pages of a site. */
export const SITE_EDITS: readonly EditKind[] = [
  single('site title (blogname)', (site) => (mark) => ({
    statements: [updateOption(site, 'blogname', `Site ${mark}`)],
    expected: onSample(site, (file) => shows(file, `Site ${mark}`)),
  })),
  single('title of a menu item on all pages', (site) => async (mark) => {
    const item = await lastItem(site, 'header', 'en')
    return {
      statements: [updatePost(site, item, 'post_title', `Item ${mark}`)],
      expected: onSample(
        site,
        (file) => shows(file, `Item ${mark}`),
        ({ lang }) => lang === 'en',
      ),
    }
  }),
  {
    titles: ['site archived', 'archived site restored'],
    begin: (site) =>
      [1, 0].map((archived) => () => ({
        statements: [
          [
            'UPDATE wp_blogs SET archived = ?, last_updated = NOW() WHERE blog_id = ?',
            [archived, site.blogId],
          ],
        ],
        expected: onSample(site, (file) => (archived ? isGone(file) : shows(file, '</html>'))),
      })),
  },
]
