import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { errorOf, type PageCandidate } from '../../host/errors.ts'
import { groupBy } from '../../host/group-by.ts'
import { pagePathSlugs } from '../formatting/slugs.ts'
import type { Languages } from '../languages/languages.ts'
import { commonText, selectFromSites } from '../network/select-from-sites.ts'
import type { Site } from '../network/site.ts'
import { idIn } from '../stored-value.ts'
import {
  isPage,
  isPublic,
  MENU_ORDER,
  type Page,
  type Post,
  type PostQuery,
  readPostColumns,
  readPosts,
} from './posts.ts'

/**
 * The one page that a reference names; see `findPages`.
 * @throws AppError `page_not_found`, or `ambiguous_page` if several pages match
 */
export async function getPage(
  db: Db,
  site: Site,
  languages: Languages,
  ref: PageRef,
): Promise<Page> {
  const [pages = []] = await findPages(db, site, languages, [ref])
  const [page] = pages
  if (!page) throw errorOf('page_not_found', { ref })
  if (pages.length > 1) {
    const { candidates } = ambiguousPages(ref, pages)
    throw errorOf('ambiguous_page', { ref, total: pages.length, candidates })
  }
  return page
}

/** More would not help the caller. */
const MAX_CANDIDATES = 50

/** The report of a reference that several pages match, with the first of them. */
export function ambiguousPages(
  ref: PageRef,
  pages: readonly Page[],
): { readonly message: string; readonly candidates: readonly PageCandidate[] } {
  const first = pages.slice(0, MAX_CANDIDATES)
  const limit = first.length < pages.length ? ` Only the first ${first.length} are listed.` : ''
  return {
    message: `${pages.length} pages match "${ref}". Name one by its id or its full path.${limit}`,
    candidates: first.map(pageCandidate),
  }
}

/** The fields by which a caller distinguishes pages. */
function pageCandidate({ id, path, lang, status }: Page): PageCandidate {
  return { id, path, lang, status }
}

/** A page's id, slug or path; digits are an id first. */
export type PageRef = string | number

/** The pages that match a reference: none, one, or several if it is ambiguous. */
export type PageMatch = readonly Page[]

/**
 * Finds the pages that each reference names, in the order of the references, in one statement:
 * - digits: the page with that id, in any status, including the trash; otherwise they are treated as a text;
 * - a text: the pages with this full path, else those with this slug. A path may be percent-encoded, and may have slashes at both ends
 *   (get_page_by_path, post.php). Pages in the trash have no slug and are found by id only. A top-level page `overview` therefore hides
 *   `products/overview` from the reference `overview`. Several pages may have the same full path: WordPress allows it for drafts, and
 *   Polylang Pro for languages.
 */
export async function findPages(
  db: Db,
  site: Site,
  languages: Languages | Promise<Languages>,
  refs: readonly PageRef[],
): Promise<PageMatch[]> {
  const wanted = refs.map((ref) => ({ id: idOfRef(ref), path: pathOfRef(ref) }))
  const posts = await readPosts(db, site, languages, {
    type: 'page',
    ids: unique(wanted.map(({ id }) => id).filter((id) => id > 0)),
    slugs: unique(wanted.map(({ path }) => lastSegment(path)).filter((slug) => slug !== '')),
  })
  const pages = [...posts.values()].filter(isPage)
  const named = pages.filter(answersToSlug)
  const byId = groupBy(pages, (page) => page.id)
  const byPath = groupBy(named, (page) => page.path)
  const bySlug = groupBy(named, (page) => page.slug)
  return wanted.map(({ id, path }) => byId.get(id) ?? byPath.get(path) ?? bySlug.get(path) ?? [])
}

/** Statuses in which a post is not found by its slug. */
const STATUSES_WITHOUT_SLUG = new Set(['trash', 'auto-draft'])

/** Whether a post can be found by its slug: a draft that was never published has none, and a post in the trash has lost it. */
function answersToSlug({ slug, status }: Post): boolean {
  return slug !== '' && !STATUSES_WITHOUT_SLUG.has(status)
}

function idOfRef(ref: PageRef): number {
  return /^\d+$/.test(String(ref)) ? idIn(ref) : 0
}

/** Longer than the path of any page: each segment and character costs time. */
const MAX_PATH = { names: 100, length: 4096 }

function pathOfRef(ref: PageRef): string {
  const text = String(ref)
  const isPath = text.length <= MAX_PATH.length && text.split('/').length <= MAX_PATH.names
  return isPath ? pagePathSlugs(text).join('/') : ''
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

/** A post's type and full path, percent-encoded or not (get_page_by_path, post.php). */
export type PostPath = { readonly type: string; readonly path: string }

export type PostMatches = {
  /** Usually one: WordPress allows drafts, and Polylang Pro languages, to share a path. */
  readonly found: readonly Post[]
  /** Posts of the type with the same slug at another path, for suggestions. */
  readonly namesakes: readonly Post[]
}

/** Finds the posts at each of these paths, in order, in one statement. Digits are a slug here, never an id. */
export async function findPostsByPath(
  db: Db,
  site: Site,
  languages: Languages,
  paths: readonly PostPath[],
): Promise<PostMatches[]> {
  const wanted = paths.map(({ type, path }) => {
    const slugs = pagePathSlugs(path)
    return { type, path: slugs.join('/'), slug: slugs.at(-1) ?? '' }
  })
  const slugs = [...new Set(wanted.map(({ slug }) => slug).filter((slug) => slug !== ''))]
  const posts = await readPosts(db, site, languages, { slugs })
  const namesakes = groupBy([...posts.values()].filter(answersToSlug), typeAndSlug)
  return wanted.map((one) => {
    const posts = namesakes.get(typeAndSlug(one)) ?? []
    return {
      found: posts.filter((post) => post.path === one.path),
      namesakes: posts.filter((post) => post.path !== one.path),
    }
  })
}

function typeAndSlug({ type, slug }: Pick<Post, 'type' | 'slug'>): string {
  return `${type} ${slug}`
}

/** All pages of a site, by id or in the order of lists, in one statement, without those in the trash and automatic drafts. */
export async function listPages(
  db: Db,
  site: Site,
  languages: Languages,
  { inMenuOrder }: Pick<PostQuery, 'inMenuOrder'> = {},
): Promise<Page[]> {
  const posts = await readPosts(db, site, languages, { type: 'page', inMenuOrder })
  return [...posts.values()].filter(isPage).filter(isListed)
}

/** Whether a public page is in a language, or in none: lists in that language show it. */
export const isShownIn = (page: Page, lang: string | null): boolean =>
  isPublic(page) && (page.lang === null || page.lang === lang)

/**
 * The first pages that lists in a language show. On a site with 20,000 pages, reading all of them would take the main thread half a
 * second.
 */
export async function listFirstPages(
  db: Db,
  site: Site,
  languages: Languages,
  lang: string | null,
  limit: number,
): Promise<Page[]> {
  const found: Page[] = []
  for (let offset = 0; found.length < limit; offset += limit) {
    const ids = await listCandidates(db, site, languages, { lang, offset, limit })
    const posts = await readPosts(db, site, languages, { ids })
    const pages = ids.flatMap((id) => posts.get(id) ?? []).filter(isPage)
    found.push(...pages.filter((page) => isShownIn(page, lang)))
    if (ids.length < limit) break
  }
  return found.slice(0, limit)
}

/** The next public pages, besides those whose terms are all of other languages. A page has one language, except by mistake. */
async function listCandidates(
  db: Db,
  { tables }: Site,
  { list }: Languages,
  { lang, offset, limit }: { lang: string | null; offset: number; limit: number },
): Promise<number[]> {
  const others = list.filter(({ slug }) => slug !== lang).map(({ id }) => id)
  const ofLanguage = `LEFT JOIN (:termRelationships: tr
      JOIN :termTaxonomy: tt ON tt.term_taxonomy_id = tr.term_taxonomy_id AND tt.taxonomy = 'language'
    ) ON tr.object_id = p.ID`
  const rows = await readRows<{ ID: number }>(
    db,
    `SELECT DISTINCT ${MENU_ORDER} FROM :posts: p ${others.length > 0 ? ofLanguage : ''}
      WHERE p.post_type = 'page' AND p.post_status = 'publish' AND p.post_password = ''
        ${others.length > 0 ? 'AND (tt.term_id IS NULL OR tt.term_id NOT IN (:others))' : ''}
      ORDER BY ${MENU_ORDER} LIMIT :limit OFFSET :offset`,
    { ...tables, others, offset, limit },
  )
  return rows.map(({ ID }) => ID)
}

/** The ids of the pages that any visitor may see, as `isPublic` says. */
export async function listPublicPageIds(db: Db, site: Site): Promise<Set<number>> {
  const rows = await readRows<{ ID: number }>(
    db,
    `SELECT ID FROM :posts: WHERE post_type = 'page' AND post_status = 'publish' AND post_password = ''`,
    { posts: site.tables.posts },
  )
  return new Set(rows.map(({ ID }) => ID))
}

/** Whether lists of pages contain the page: it is neither in the trash nor an automatic draft. */
function isListed({ status }: Post): boolean {
  return status !== 'trash' && status !== 'auto-draft'
}

/** The stored texts of a page. */
export type PageText = { readonly content: string; readonly excerpt: string }

/**
 * The contents and excerpts of pages as stored, by id, without filters, shortcodes or blocks, in one statement. Deleted pages are not in the
 * map.
 */
export const readPageTexts = (
  db: Db,
  site: Site,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PageText>> =>
  readPostColumns<PageText>(db, site, ids, 'post_content AS content, post_excerpt AS excerpt')

/** The bytes of the contents of pages, by id. */
export async function readContentBytes(
  db: Db,
  site: Site,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const columns = 'LENGTH(post_content) AS bytes'
  const rows = await readPostColumns<{ bytes: number }>(db, site, ids, columns)
  return new Map([...rows].map(([id, { bytes }]) => [id, Number(bytes)]))
}

/** The pages below each of these pages, by parent and in the order of lists, without those in the trash and automatic drafts. */
export async function readChildPages(
  db: Db,
  site: Site,
  languages: Languages,
  parents: readonly number[],
): Promise<Map<number, Page[]>> {
  const posts = await readPosts(db, site, languages, { type: 'page', parents, inMenuOrder: true })
  const wanted = new Set(parents)
  const children = [...posts.values()].filter(({ parent }) => wanted.has(parent))
  return groupBy(children.filter(isPage).filter(isListed), ({ parent }) => parent)
}

type TitleRow = { readonly blog_id: number; readonly id: number; readonly title: string }

/** The stored titles of pages of several sites, by blog id and page id, with one statement for 200 sites. They are HTML. */
export async function readPageTitles(
  db: Db,
  sites: readonly { readonly site: Site; readonly ids: readonly number[] }[],
): Promise<Map<number, Map<number, string>>> {
  const wanted = new Map(sites.map(({ site, ids }) => [site.blogId, ids]))
  const rows = await selectFromSites<TitleRow>(
    db,
    sites.map(({ site }) => site),
    ({ blogId, tables: { posts } }) => ({
      statement: `SELECT :blogId AS blog_id, ID AS id, ${commonText('post_title')} AS title
        FROM :posts: WHERE ID IN (:ids) AND post_type = 'page'`,
      values: { blogId, posts, ids: [...(wanted.get(blogId) ?? [])] },
    }),
  )
  return new Map(
    [...rows].map(([blogId, titles]) => [
      blogId,
      new Map(titles.map(({ id, title }) => [id, title])),
    ]),
  )
}
