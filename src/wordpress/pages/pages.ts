import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { pagePathSlugs } from '../formatting/slugs.ts'
import type { Languages } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { isPage, type Page, type Post, readPosts } from './posts.ts'

/** A page that a reference may mean, as the contract shows it. */
export type PageCandidate = Pick<Page, 'id' | 'path' | 'lang' | 'status'>

/**
 * The one page that a reference names, as `findPages` understands it. Throws `page_not_found`, and `ambiguous_page` with
 * the first `candidates` where several bear the slug.
 */
export async function getPage(
  db: Db,
  site: Site,
  languages: Languages,
  ref: PageRef,
): Promise<Page> {
  const [pages = []] = await findPages(db, site, languages, [ref])
  const [page] = pages
  if (!page) throw new AppError('page_not_found', `This site has no page "${ref}".`)
  if (pages.length > 1) {
    const { message, candidates } = ambiguousPages(ref, pages)
    throw new AppError('ambiguous_page', message, { candidates })
  }
  return page
}

/** More than anyone looks through. */
const MAX_CANDIDATES = 50

/** What is said of a reference that several pages answer to, with the first of these. */
export function ambiguousPages(
  ref: PageRef,
  pages: readonly Page[],
): { readonly message: string; readonly candidates: readonly PageCandidate[] } {
  const first = pages.slice(0, MAX_CANDIDATES)
  const only = first.length < pages.length ? ` Only the first ${first.length} are listed.` : ''
  return {
    message: `${pages.length} pages answer to "${ref}": name one by its id or its full path.${only}`,
    candidates: first.map(pageCandidate),
  }
}

/** The fields of a page among which a caller chooses (decisions, section 8). */
function pageCandidate({ id, path, lang, status }: Page): PageCandidate {
  return { id, path, lang, status }
}

/** A page's id, its slug or its path; digits are an id first. */
export type PageRef = string | number

/** The pages that a reference names: none, the one, or those among which it doesn't choose. */
export type PageMatch = readonly Page[]

/**
 * What each of these references names, in their order, in one statement (contract, section 2.6; decisions, section 8):
 * - digits: the page with that id, in whatever status, the trash included; else as a text;
 * - the pages whose full path it is, else those whose slug it is. A path may be percent-encoded or not, with slashes around it or
 *   not (get_page_by_path, post.php). Pages in the trash have given up their slug and are found by id only.
 * A top-level page `overview` therefore hides `products/overview` from the reference `overview`. Several pages may share a full
 * path: drafts are not kept apart, nor are languages by Polylang Pro.
 */
export async function findPages(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly PageRef[],
): Promise<PageMatch[]> {
  const asked = refs.map((ref) => ({ id: idOfRef(ref), path: pathOfRef(ref) }))
  const posts = await readPosts(db, site, languages, {
    type: 'page',
    ids: unique(asked.map(({ id }) => id).filter((id) => id > 0)),
    slugs: unique(asked.map(({ path }) => lastSegment(path)).filter((slug) => slug !== '')),
  })
  const pages = [...posts.values()].filter(isPage)
  const named = pages.filter(answersToSlug)
  const byId = groupBy(pages, (page) => page.id)
  const byPath = groupBy(named, (page) => page.path)
  const bySlug = groupBy(named, (page) => page.slug)
  return asked.map(({ id, path }) => byId.get(id) ?? byPath.get(path) ?? bySlug.get(path) ?? [])
}

/** Statuses in which a post doesn't answer to its slug. */
const STATUSES_WITHOUT_SLUG = new Set(['trash', 'auto-draft'])

/** Whether a post can be found by its slug: one that was never published has none yet, and the trash takes it away. */
export function answersToSlug({ slug, status }: Post): boolean {
  return slug !== '' && !STATUSES_WITHOUT_SLUG.has(status)
}

function idOfRef(ref: PageRef): number {
  const id = /^\d+$/.test(String(ref)) ? Number(ref) : 0
  return Number.isSafeInteger(id) ? id : 0
}

/** More than the path of any page has: each name and character takes time. */
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

/** `Map.groupBy`, which Node has from 21 on. */
function groupBy<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}

/** Where a post stands: its type, and its full path, percent-encoded or not (get_page_by_path, post.php). */
export type PostPath = { readonly type: string; readonly path: string }

export type PostMatches = {
  /** Mostly one: drafts are not kept apart, nor are languages by Polylang Pro. */
  readonly found: readonly Post[]
  /** Those of the type that bear the slug elsewhere, for whoever looks for one. */
  readonly namesakes: readonly Post[]
}

/** The posts at each of these places, in their order, in one statement. Digits are a slug here, never an id. */
export async function findPostsByPath(
  db: Db,
  site: Site,
  languages: Languages,
  places: readonly PostPath[],
): Promise<PostMatches[]> {
  const asked = places.map(({ type, path }) => {
    const slugs = pagePathSlugs(path)
    return { type, path: slugs.join('/'), slug: slugs.at(-1) ?? '' }
  })
  const slugs = [...new Set(asked.map(({ slug }) => slug).filter((slug) => slug !== ''))]
  const namesakes = new Map<string, Post[]>()
  for (const post of (await readPosts(db, site, languages, { slugs })).values()) {
    if (!answersToSlug(post)) continue
    const key = typeAndSlug(post)
    const others = namesakes.get(key)
    if (others) others.push(post)
    else namesakes.set(key, [post])
  }
  return asked.map((place) => {
    const posts = namesakes.get(typeAndSlug(place)) ?? []
    return {
      found: posts.filter((post) => post.path === place.path),
      namesakes: posts.filter((post) => post.path !== place.path),
    }
  })
}

function typeAndSlug({ type, slug }: Pick<Post, 'type' | 'slug'>): string {
  return `${type} ${slug}`
}

/** All pages of a site by id, in one statement; without those in the trash and those never saved. */
export async function listPages(db: Db, site: Site, languages: Languages): Promise<Page[]> {
  const posts = await readPosts(db, site, languages, { type: 'page' })
  return [...posts.values()]
    .filter(isPage)
    .filter(({ status }) => status !== 'trash' && status !== 'auto-draft')
}

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
