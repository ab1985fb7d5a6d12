import { frameId } from '../../setup/put-frames.ts'
import { hides, isGone, shows } from '../copy-watch.ts'
import type { MeasuredPage, MeasuredSite } from '../measured-site.ts'
import { pageColumns } from '../network/fill-site.ts'
import { LANGUAGES } from '../network/languages.ts'
import { type EditKind, type Statement, single } from './edit.ts'
import { revisionOf, takePage, updatePost } from './page-edits.ts'

/** Children of a page whose copies are compared after an edit of the page. */
const CHILDREN = 3

/** Edits of pages that other pages show, by what shows them: lists of children, breadcrumbs, links to translations. */
export const TREE_EDITS: readonly EditKind[] = [
  single('slug of a page', (site) => {
    const page = takePage(site, 'tree')
    return (mark) =>
      moved(site, page, { post_name: mark }, () => {
        page.slug = mark
      })
  }),
  single('parent of a page', (site) => {
    const page = takePage(site, 'tree')
    const parents = site.pages.filter(
      ({ role, lang, frame }) => role === 'sub' && lang === 'en' && frame === 'page-section',
    )
    const parent = parents.find(({ id }) => id !== page.parent) ?? site.page(page.parent)
    return () =>
      moved(site, page, { post_parent: parent.id }, () => {
        page.parent = parent.id
      })
  }),
  {
    titles: ['page made private', 'private page published again'],
    begin: (site) => {
      const page = takePage(site, 'tree')
      return [
        () => hidden(site, page, [updatePost(site, page.id, { post_status: 'private' })]),
        () => shown(site, page, [updatePost(site, page.id, { post_status: 'publish' })]),
      ]
    },
  },
  {
    titles: ['page trashed', 'page restored from the trash'],
    begin: (site) => {
      const page = takePage(site, 'tree')
      const meta = (key: string, value: string): Statement => [
        'INSERT INTO ?? (post_id, meta_key, meta_value) VALUES (?, ?, ?)',
        [site.table('postmeta'), page.id, key, value],
      ]
      const trashed = { post_status: 'trash', post_name: `${page.slug}__trashed` }
      return [
        () =>
          hidden(site, page, [
            meta('_wp_trash_meta_status', 'publish'),
            meta('_wp_desired_post_slug', page.slug),
            updatePost(site, page.id, trashed),
          ]),
        () =>
          shown(site, page, [
            updatePost(site, page.id, { post_status: 'publish', post_name: page.slug }),
            [
              "DELETE FROM ?? WHERE post_id = ? AND meta_key IN ('_wp_trash_meta_status', '_wp_desired_post_slug')",
              [site.table('postmeta'), page.id],
            ],
          ]),
      ]
    },
  },
  {
    titles: ['page published', 'page deleted'],
    begin: (site) => {
      const model = takePage(site, 'tree')
      const page: MeasuredPage = { ...model, translation: 0 }
      return [
        async (mark) => {
          page.id = await insertDraft(site, page)
          page.slug = mark
          return shown(site, page, publishDraft(site, page))
        },
        () =>
          hidden(site, page, [
            ['DELETE FROM ?? WHERE object_id = ?', [site.table('term_relationships'), page.id]],
            ['DELETE FROM ?? WHERE post_id = ?', [site.table('postmeta'), page.id]],
            ['DELETE FROM ?? WHERE ID = ?', [site.table('posts'), page.id]],
          ]),
      ]
    },
  },
  {
    titles: ['frame of a page removed by PHP', 'frame of a page assigned by PHP'],
    begin: (site) => {
      const page = takePage(site, 'tree')
      const file = site.fileOf(page)
      const postmeta = site.table('postmeta')
      return [
        () => ({
          statements: [
            ["DELETE FROM ?? WHERE post_id = ? AND meta_key = '_svc_frame'", [postmeta, page.id]],
          ],
          expected: [isGone(file)],
        }),
        () => ({ statements: [assignment(site, page)], expected: [shows(file, '</html>')] }),
      ]
    },
  },
  single('title of a page that its parent lists', (site) => {
    const page = takePage(site, 'tree')
    return (mark) => ({
      statements: [updatePost(site, page.id, { post_title: `Title ${mark}` })],
      afterwards: revisionOf(site, page.id),
      expected: [page, site.page(page.parent)].map((one) =>
        shows(site.fileOf(one), `Title ${mark}`),
      ),
    })
  }),
  single('title of a page in breadcrumbs', (site) => {
    const page = takePage(site, 'parents')
    const children = site.childrenOf(page)
    const step = Math.max(1, Math.floor(children.length / CHILDREN))
    const some = children.filter((_, index) => index % step === 0)
    return (mark) => ({
      statements: [updatePost(site, page.id, { post_title: `Title ${mark}` })],
      afterwards: revisionOf(site, page.id),
      expected: [page, site.page(page.parent), ...some].map((one) =>
        shows(site.fileOf(one), `Title ${mark}`),
      ),
    })
  }),
]

/** The copy moves, and the list of the parent and the link of the translation follow. */
function moved(
  site: MeasuredSite,
  page: MeasuredPage,
  columns: Readonly<Record<string, string | number>>,
  move: () => void,
) {
  const [former, formerParent] = [site.fileOf(page), site.page(page.parent)]
  move()
  const link = site.linkTo(page)
  const translation = site.page(page.translation)
  const showing = [site.page(page.parent), translation]
  return {
    statements: [updatePost(site, page.id, columns)],
    afterwards: revisionOf(site, page.id),
    expected: [
      shows(site.fileOf(page), '</html>'),
      isGone(former),
      ...showing.map((one) => shows(site.fileOf(one), link)),
      ...(formerParent.id === page.parent ? [] : [hides(site.fileOf(formerParent), link)]),
    ],
  }
}

/** The page loses its copy, and the list of its parent leaves it out. */
function hidden(site: MeasuredSite, page: MeasuredPage, statements: readonly Statement[]) {
  const link = site.linkTo(page)
  return {
    statements,
    expected: [isGone(site.fileOf(page)), hides(site.fileOf(site.page(page.parent)), link)],
  }
}

/** The page gets a copy, and the list of its parent contains it. */
function shown(site: MeasuredSite, page: MeasuredPage, statements: readonly Statement[]) {
  const link = site.linkTo(page)
  return {
    statements,
    expected: [
      shows(site.fileOf(page), '</html>'),
      shows(site.fileOf(site.page(page.parent)), link),
    ],
  }
}

/** The editor stores a draft before its first key is pressed. @returns its id */
async function insertDraft(site: MeasuredSite, page: MeasuredPage): Promise<number> {
  const draft = { ...pageColumns(page), post_name: '', post_parent: 0, post_status: 'auto-draft' }
  const [id = 0] = await site.db.sql(site.table('posts')).insert(draft)
  return id
}

function publishDraft(site: MeasuredSite, page: MeasuredPage): Statement[] {
  const { post_title, post_content, post_parent } = pageColumns(page)
  return [
    updatePost(site, page.id, {
      post_title: String(post_title),
      post_content: String(post_content),
      post_parent: Number(post_parent),
      post_name: page.slug,
      post_status: 'publish',
    }),
    [
      'INSERT INTO ?? (object_id, term_taxonomy_id) VALUES (?, ?)',
      [site.table('term_relationships'), page.id, LANGUAGES[page.lang ?? 'en'].term],
    ],
    assignment(site, page),
  ]
}

const assignment = (site: MeasuredSite, { id, frame }: MeasuredPage): Statement => [
  "INSERT INTO ?? (post_id, meta_key, meta_value) VALUES (?, '_svc_frame', ?)",
  [site.table('postmeta'), id, frameId(frame)],
]
