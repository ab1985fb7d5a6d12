import type { Db } from '../db/database.ts'
import { menuItemClasses } from '../wordpress/formatting/menu-item-classes.ts'
import { menuItemTarget } from '../wordpress/formatting/menu-item-target.ts'
import { menuItemTitle } from '../wordpress/formatting/menu-item-title.ts'
import { phpTrim } from '../wordpress/formatting/php-trim.ts'
import { type ItemLink, type NewMenuItem, ownTitle } from '../wordpress/nav-menus/new-item.ts'
import type { Site } from '../wordpress/network/site.ts'
import { findPages, type PageMatch, type PageRef } from '../wordpress/pages/find-pages.ts'
import { type PageCandidate, pageCandidate } from '../wordpress/pages/get-page.ts'
import type { Page } from '../wordpress/pages/post.ts'
import type { Authorship } from './authorship.ts'
import { linkUrl } from './link-url.ts'
import { type ItemInput, type ItemProblem, type ItemTree, MAX_TEXT_BYTES } from './tree.ts'

/** An item whose page is not to be found, or is one of several. */
export type UnresolvedItem = ItemProblem & {
  readonly reason: 'page_not_found' | 'ambiguous_page'
  readonly page: PageRef
  readonly candidates?: readonly PageCandidate[]
}

/** An item that visitors would not see: its page is not published, or it stands under such an item. */
export type InvalidItem = ItemProblem & {
  readonly reason: 'page_not_published' | 'parent_left_out'
  /** Id of the page; null for a link. */
  readonly page: number | null
  /** Of the page. */
  readonly status?: string
}

/** An item that can be written. */
export type ResolvedItem = NewMenuItem & { readonly at: string }

/** A tree with what its items link, and all that is wrong with them, in their order. */
export type ResolvedTree = {
  /** Without the invalid ones. */
  readonly items: readonly ResolvedItem[]
  /** Wrong by themselves. */
  readonly bad: readonly ItemProblem[]
  readonly unresolved: readonly UnresolvedItem[]
  readonly invalid: readonly InvalidItem[]
}

/** Finds what the items of a tree link, in one statement, and cleans their texts as WordPress does. All items are looked at, whatever is wrong. */
export async function resolveTree(
  db: Db,
  site: Site,
  authorship: Authorship,
  { items, problems }: ItemTree,
): Promise<ResolvedTree> {
  const pages = await findPagesOf(db, site, authorship, items)
  const tree = {
    items: [] as ResolvedItem[],
    bad: [...problems],
    unresolved: [] as UnresolvedItem[],
  }
  const invalid: InvalidItem[] = []
  /** From the place of an item in what was sent to that among those that are kept; the left out have none. */
  const kept = new Map([[-1, -1]])
  for (const [index, input] of items.entries()) {
    const { at } = input
    const { link, bad, unresolved, unpublished } = findLink(site, input, pages)
    const parent = kept.get(input.parent)
    if (bad) tree.bad.push(bad)
    if (unresolved) tree.unresolved.push(unresolved)
    if (unpublished) invalid.push(unpublishedItem(at, unpublished))
    else if (parent === undefined) invalid.push(orphanedItem(at, link))
    // A problem of its own doesn't make an item's children wrong.
    else if (!link) kept.set(index, -1)
    else {
      const title = titleOf(input, link, authorship)
      if (Buffer.byteLength(title) > MAX_TEXT_BYTES) tree.bad.push(tooLong(at))
      kept.set(index, tree.items.length)
      tree.items.push({
        at,
        link,
        title,
        parent,
        target: menuItemTarget(input.target ?? ''),
        classes: menuItemClasses(input.classes ?? ''),
      })
    }
  }
  return { ...tree, invalid }
}

/** The title that is stored of what was sent; a link without one is called by its address. */
export function titleOf(
  { title, url }: Pick<ItemInput, 'title' | 'url'>,
  link: ItemLink,
  { unfilteredHtml }: Authorship,
): string {
  const given = phpTrim(title ?? (link.page ? '' : (url ?? '')))
  return menuItemTitle(ownTitle(given, link.page?.title), { unfilteredHtml })
}

type Found = {
  readonly link?: ItemLink
  readonly bad?: ItemProblem
  readonly unresolved?: UnresolvedItem
  readonly unpublished?: Page
}

/** What an item links, or why it doesn't; nothing where its form is wrong, which is known already. */
function findLink(
  { home }: Site,
  { at, page: ref, url: text }: ItemInput,
  pages: ReadonlyMap<PageRef, PageMatch>,
): Found {
  if (ref !== undefined) {
    const [page, ...others] = pages.get(ref) ?? []
    if (!page) return { unresolved: notFound(at, ref) }
    if (others.length > 0) return { unresolved: ambiguous(at, ref, [page, ...others]) }
    return page.status === 'publish' ? { link: { page } } : { unpublished: page }
  }
  if (text === undefined) return {}
  const url = linkUrl(home, text)
  return url === undefined ? { bad: refusedUrl(at) } : { link: { url } }
}

async function findPagesOf(
  db: Db,
  site: Site,
  { links }: Authorship,
  items: readonly ItemInput[],
): Promise<Map<PageRef, PageMatch>> {
  const refs = [...new Set(items.flatMap(({ page }) => page ?? []))]
  const matches = refs.length === 0 ? [] : await findPages(db, site, links.languages, refs)
  return new Map(refs.map((ref, index) => [ref, matches[index] ?? []]))
}

function notFound(at: string, page: PageRef): UnresolvedItem {
  return { at, reason: 'page_not_found', message: `This site has no page "${page}".`, page }
}

function ambiguous(at: string, page: PageRef, found: readonly Page[]): UnresolvedItem {
  const message = `${found.length} pages answer to "${page}": name one by its id or its full path.`
  return { at, reason: 'ambiguous_page', message, page, candidates: found.map(pageCandidate) }
}

function unpublishedItem(at: string, { id, status }: Page): InvalidItem {
  const message = `The page ${id} is not published: visitors would not see the item.`
  return { at, reason: 'page_not_published', message, page: id, status }
}

function orphanedItem(at: string, link: ItemLink | undefined): InvalidItem {
  const message = 'The item stands under one that is left out.'
  return { at, reason: 'parent_left_out', message, page: link?.page?.id ?? null }
}

function refusedUrl(at: string): ItemProblem {
  const message = 'This address leads nowhere, or uses a protocol that WordPress refuses.'
  return { at, reason: 'target_required', message }
}

function tooLong(at: string): ItemProblem {
  return { at, reason: 'bad_title', message: `"title" has at most ${MAX_TEXT_BYTES} bytes.` }
}
