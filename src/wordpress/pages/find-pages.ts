import type { Db } from '../../db/database.ts'
import { pagePathSlugs } from '../formatting/slugs.ts'
import type { Languages } from '../languages/language.ts'
import type { Site } from '../network/site.ts'
import { type Page, type Post, isPage, readPosts } from './posts.ts'

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
