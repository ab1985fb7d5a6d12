import { shows } from '../copy-watch.ts'
import type { MeasuredPage, MeasuredSite } from '../measured-site.ts'
import { contentOf } from '../network/fill-site.ts'
import { type EditKind, MODIFIED, type Statement, single } from './edit.ts'

/** Pages for different kinds of edits, so that no edit hides the mark of another one. */
export type Pool = keyof typeof POOLS

const isLeaf = (page: MeasuredPage, lang: string, frame: string): boolean =>
  page.role === 'leaf' && page.lang === lang && page.frame === frame

const POOLS = {
  /** Their titles are shown by no other page: the list of pages is in the other language. */
  unlisted: (page: MeasuredPage) => isLeaf(page, 'fr', 'page-plain'),
  text: (page: MeasuredPage) => isLeaf(page, 'en', 'page-plain'),
  replaced: (page: MeasuredPage) => isLeaf(page, 'fr', 'page-article'),
  /** Their parents list them. */
  tree: (page: MeasuredPage) => isLeaf(page, 'en', 'page-article'),
  /** Their children show them. */
  parents: (page: MeasuredPage) =>
    page.role === 'sub' && page.lang === 'fr' && page.frame === 'page-section',
}

/** The next page of a pool. */
export const takePage = (site: MeasuredSite, pool: Pool): MeasuredPage =>
  site.next(pool, POOLS[pool])

/** The statement of an update of a post in the editor. */
export const updatePost = (
  site: MeasuredSite,
  id: number,
  columns: Readonly<Record<string, string | number>>,
): Statement => [
  `UPDATE ?? SET ${Object.keys(columns)
    .map((name) => `${name} = ?`)
    .join()}, ${MODIFIED} WHERE ID = ?`,
  [site.table('posts'), ...Object.values(columns), id],
]

/** What the editor writes after a page: a revision, and who edited the page last. */
export function revisionOf(site: MeasuredSite, id: number): Statement[] {
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

/** The title of a page that no other page shows. */
export const TITLE_EDIT: EditKind = single('title of a page', (site) => {
  const page = takePage(site, 'unlisted')
  return (mark) => ({
    statements: [updatePost(site, page.id, { post_title: `Title ${mark}` })],
    afterwards: revisionOf(site, page.id),
    expected: [shows(site.fileOf(page), `Title ${mark}`)],
  })
})

const CONTENT_EDITS: readonly EditKind[] = [
  single('content of a page', (site) => {
    const page = takePage(site, 'text')
    return (mark) => ({
      statements: [updatePost(site, page.id, { post_content: contentOf(mark) })],
      afterwards: revisionOf(site, page.id),
      expected: [shows(site.fileOf(page), `<p>${mark}.`)],
    })
  }),
  // As `wp search-replace` does: only the column, without the date.
  single('content of a page, by SQL only', (site) => {
    const page = takePage(site, 'replaced')
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

/** Edits of single pages that no other page shows, and how often each is measured: often enough for a p99, or a median. */
export const TEXT_EDITS: readonly { readonly kind: EditKind; readonly times: number }[] = [
  { kind: TITLE_EDIT, times: 100 },
  ...CONTENT_EDITS.map((kind) => ({ kind, times: 50 })),
]
