import type { Db } from '../db/database.ts'
import { phpTrim } from '../wordpress/formatting/plain-text.ts'
import { sanitizeUrl } from '../wordpress/formatting/sanitize-url.ts'
import type { ItemLink } from '../wordpress/nav-menus/new-item.ts'
import type { Site } from '../wordpress/network/site.ts'
import {
  ambiguousPages,
  findPages,
  type PageCandidate,
  type PageMatch,
  type PageRef,
} from '../wordpress/pages/pages.ts'
import type { Post } from '../wordpress/pages/posts.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import type { ItemInput, ItemProblem, ItemTree } from './item-tree.ts'
import {
  type ObjectRef,
  type ResolvedObject,
  resolveObjectRefs,
  type UnresolvedObject,
} from './object-refs.ts'
import type { StoredTexts } from './stored-texts.ts'

/** An item of which what it links is not to be found, or is one of several. */
export type UnresolvedItem = UnresolvedPage | ({ readonly at: string } & UnresolvedObject)

type UnresolvedPage = ItemProblem & {
  readonly reason: 'page_not_found' | 'ambiguous_page'
  readonly page: PageRef
  /** At the first of the items that have the same; at all of them, they would make an answer of any size. */
  readonly candidates?: readonly PageCandidate[]
}

/** What an item links, or why it doesn't; nothing where its form is wrong, which is known already. */
export type LinkResolution = {
  readonly link?: ItemLink
  readonly bad?: ItemProblem
  readonly unresolved?: UnresolvedItem
  /** What it links, where that is not published. */
  readonly unpublished?: Post
}

/**
 * Finds what the items of a tree link, in as many statements whatever their number.
 * @param urls addresses that are stored as they are
 */
export async function resolveLinks(
  db: Db,
  site: Site,
  { home, languages }: LinkSettings,
  { items, targetLang: into }: ItemTree,
  { urls }: StoredTexts,
): Promise<(item: ItemInput) => LinkResolution> {
  const pageRefs = [...new Set(items.flatMap(({ page }) => page ?? []))]
  const matches = pageRefs.length === 0 ? [] : await findPages(db, site, languages, pageRefs)
  const pages = new Map(pageRefs.map((ref, index) => [ref, matches[index] ?? []]))
  const objectRefs = items.flatMap(({ object }) => object ?? [])
  const objects =
    objectRefs.length === 0
      ? new Map<ObjectRef, ResolvedObject>()
      : await resolveObjectRefs(db, site, languages, objectRefs, into)
  const listed = new Set<string>()
  return ({ at, page, url, object }) => {
    if (page !== undefined) return linkOfPage(at, page, pages.get(page) ?? [], listed)
    if (object) return linkOfObject(at, objects.get(object))
    return url === undefined ? {} : linkOfUrl(at, urls.has(url) ? url : linkUrl(home, url))
  }
}

/** @param listed candidates that an item before this one has told, by their ids */
function linkOfPage(
  at: string,
  ref: PageRef,
  found: PageMatch,
  listed: Set<string>,
): LinkResolution {
  const [page, ...others] = found
  if (!page) return { unresolved: unknownPage(at, ref) }
  return others.length > 0
    ? { unresolved: ambiguousPage(at, ref, found, listed) }
    : linkOfPost(page)
}

function linkOfPost(post: Post): LinkResolution {
  return post.status === 'publish' ? { link: { type: 'post_type', post } } : { unpublished: post }
}

function linkOfObject(at: string, found: ResolvedObject | undefined): LinkResolution {
  if (!found) return {}
  if ('type' in found) return found.type === 'post_type' ? linkOfPost(found.post) : { link: found }
  return found.reason === 'target_required'
    ? { bad: { at, ...found } }
    : { unresolved: { at, ...found } }
}

function linkOfUrl(at: string, url: string | undefined): LinkResolution {
  if (url !== undefined) return { link: { type: 'custom', url } }
  const message = 'This address leads nowhere, or uses a protocol that WordPress refuses.'
  return { bad: { at, reason: 'target_required', message } }
}

function unknownPage(at: string, page: PageRef): UnresolvedPage {
  return { at, reason: 'page_not_found', message: `This site has no page "${page}".`, page }
}

function ambiguousPage(
  at: string,
  page: PageRef,
  found: PageMatch,
  listed: Set<string>,
): UnresolvedPage {
  const { message, candidates } = ambiguousPages(page, found)
  const problem = { at, reason: 'ambiguous_page', message, page } as const
  const key = candidates.map(({ id }) => id).join()
  if (listed.has(key)) return problem
  listed.add(key)
  return { ...problem, candidates }
}

/**
 * The address that is stored for a link: a path gets the site's address before it (contract, section 2.6), the rest is WordPress's rule.
 * Undefined for what leads nowhere: a protocol that WordPress refuses, or one without anything behind it.
 * @param home the site's address, without a slash at its end
 */
export function linkUrl(home: string, text: string): string | undefined {
  const address = phpTrim(text)
  const url = sanitizeUrl(/^\/(?!\/)/.test(address) ? `${home}${address}` : address)
  return url === '' || /^https?:\/*$/.test(url) ? undefined : url
}
