import { phpTrim } from '#php-serialized'
import type { Db } from '../../db/database.ts'
import type { PageCandidate } from '../../host/errors.ts'
import { sanitizeUrl } from '../../wordpress/formatting/sanitize-url.ts'
import type { Languages } from '../../wordpress/languages/languages.ts'
import type { ItemLink } from '../../wordpress/nav-menus/item-content.ts'
import type { Site } from '../../wordpress/network/site.ts'
import {
  ambiguousPages,
  findPages,
  type PageMatch,
  type PageRef,
} from '../../wordpress/pages/pages.ts'
import type { Post } from '../../wordpress/pages/posts.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { ItemInput, ItemProblem, ItemTree } from './item-tree.ts'
import {
  type ObjectRef,
  type ResolvedObject,
  resolveObjectRefs,
  type UnresolvedObject,
} from './object-refs.ts'

/** An item whose linked page or object does not exist or is ambiguous. */
export type UnresolvedItem = UnresolvedPage | ({ readonly at: string } & UnresolvedObject)

type UnresolvedPage = ItemProblem & {
  readonly reason: 'page_not_found' | 'ambiguous_page'
  readonly page: PageRef
  /** Only on the first item with these candidates: repeated on each item, they would make the response unbounded. */
  readonly candidates?: readonly PageCandidate[]
}

/** The link of an item, or the reason why it has none. Empty if the form of the item is wrong, which is reported already. */
type LinkResolution = {
  /** Unless it is a post. */
  readonly link?: ItemLink
  /** The linked post, published or not. */
  readonly post?: Post
  readonly bad?: ItemProblem
  readonly unresolved?: UnresolvedItem
}

/** What the items of a tree name. */
type NamedObjects = {
  readonly pages: ReadonlyMap<PageRef, PageMatch>
  readonly objects: ReadonlyMap<ObjectRef, ResolvedObject>
}

/**
 * Reads what the items of a tree name. The number of statements does not depend on the number of items.
 * @param languages if they are still being read, pages are read at the same time
 */
export async function readNamedObjects(
  db: Db,
  site: Site,
  languages: Languages | Promise<Languages>,
  { items, targetLang }: ItemTree,
): Promise<NamedObjects> {
  const pageRefs = [...new Set(items.flatMap(({ page }) => page ?? []))]
  const objectRefs = items.flatMap(({ object }) => object ?? [])
  const [matches, objects] = await Promise.all([
    pageRefs.length === 0 ? [] : findPages(db, site, languages, pageRefs),
    objectRefs.length === 0
      ? new Map<ObjectRef, ResolvedObject>()
      : Promise.resolve(languages).then((known) =>
          resolveObjectRefs(db, site, known, objectRefs, targetLang),
        ),
  ])
  return { pages: new Map(pageRefs.map((ref, index) => [ref, matches[index] ?? []])), objects }
}

/**
 * Finds the link of each item of a tree.
 * @param storedUrls URLs that the menu contains already and that are stored unchanged
 */
export function resolveLinks(
  { pages, objects }: NamedObjects,
  { home }: LinkSettings,
  storedUrls: ReadonlySet<string>,
): (item: ItemInput) => LinkResolution {
  const shownCandidates = new Set<string>()
  return ({ at, page, url, object }) => {
    if (page !== undefined) return linkOfPage(at, page, pages.get(page) ?? [], shownCandidates)
    if (object) return linkOfObject(at, objects.get(object))
    return url === undefined ? {} : linkOfUrl(at, storedUrls.has(url) ? url : linkUrl(home, url))
  }
}

/** @param shownCandidates ids of candidates that an earlier item shows already */
function linkOfPage(
  at: string,
  ref: PageRef,
  found: PageMatch,
  shownCandidates: Set<string>,
): LinkResolution {
  const [post, ...others] = found
  if (others.length > 0) return { unresolved: ambiguousPage(at, ref, found, shownCandidates) }
  if (post) return { post }
  const message = `This site has no page "${ref}".`
  return { unresolved: { at, reason: 'page_not_found', message, page: ref } }
}

function linkOfObject(at: string, found: ResolvedObject | undefined): LinkResolution {
  if (!found) return {}
  if ('type' in found) return found.type === 'post_type' ? { post: found.post } : { link: found }
  return found.reason === 'target_required'
    ? { bad: { at, ...found } }
    : { unresolved: { at, ...found } }
}

function linkOfUrl(at: string, url: string | undefined): LinkResolution {
  if (url !== undefined) return { link: { type: 'custom', url } }
  const message = 'This address is empty or uses a protocol that WordPress rejects.'
  return { bad: { at, reason: 'target_required', message } }
}

function ambiguousPage(
  at: string,
  page: PageRef,
  found: PageMatch,
  shownCandidates: Set<string>,
): UnresolvedPage {
  const { message, candidates } = ambiguousPages(page, found)
  const problem = { at, reason: 'ambiguous_page', message, page } as const
  const key = candidates.map(({ id }) => id).join()
  if (shownCandidates.has(key)) return problem
  shownCandidates.add(key)
  return { ...problem, candidates }
}

/**
 * The URL that is stored for a link. A path is prefixed with the site's address; everything else follows
 * WordPress's rules.
 * @param home the site's address, without a trailing slash
 * @returns undefined for an empty URL, a protocol that WordPress rejects, or a protocol without anything after it
 */
export function linkUrl(home: string, text: string): string | undefined {
  const address = phpTrim(text)
  const url = sanitizeUrl(/^\/(?!\/)/.test(address) ? `${home}${address}` : address)
  return url === '' || /^https?:\/*$/.test(url) ? undefined : url
}
