import { forEachYielding } from '../concurrency/for-each.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { kses } from '../wordpress/formatting/kses.ts'
import {
  menuItemClasses,
  menuItemTarget,
  menuItemTitle,
} from '../wordpress/formatting/menu-texts.ts'
import { phpTrim } from '../wordpress/formatting/plain-text.ts'
import { type ItemLink, linkedTitle, type NewMenuItem } from '../wordpress/nav-menus/new-item.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Post } from '../wordpress/pages/posts.ts'
import { resolveLinks, type UnresolvedItem } from './item-links.ts'
import { type ItemInput, type ItemProblem, type ItemTree, MAX_TEXT_BYTES } from './item-tree.ts'
import { NO_TEXTS, type StoredTexts } from './stored-texts.ts'
import type { WriteContext } from './write-context.ts'

/** An item that visitors would not see: what it links is not published, or it stands under such an item. */
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

/**
 * Finds what the items of a tree link and cleans their texts as WordPress does. All items are looked at, whatever is wrong.
 * @param kept texts that are stored as they are
 */
export async function resolveTree(
  db: Db,
  site: Site,
  authorship: WriteContext,
  sent: ItemTree,
  kept: StoredTexts = NO_TEXTS,
): Promise<ResolvedTree> {
  const findLink = await resolveLinks(db, site, authorship.links, sent, kept)
  const tree = {
    items: [] as ResolvedItem[],
    bad: [...sent.problems],
    unresolved: [] as UnresolvedItem[],
  }
  const invalid: InvalidItem[] = []
  /** From the place of an item in what was sent to that among those that are kept; the left out have none. */
  const places = new Map([[-1, -1]])
  await forEachYielding(sent.items, (input, index) => {
    const { at } = input
    const { link, bad, unresolved, unpublished } = findLink(input)
    const parent = places.get(input.parent)
    if (bad) tree.bad.push(bad)
    if (unresolved) tree.unresolved.push(unresolved)
    if (unpublished) invalid.push(unpublishedItem(at, unpublished))
    else if (parent === undefined) invalid.push(itemOfOmittedParent(at, link))
    // A problem of its own doesn't make an item's children wrong.
    else if (!link) places.set(index, -1)
    else {
      const texts = cleanTexts(input, link, authorship, kept)
      const long = findTooLong(texts.title, at)
      if (long) tree.bad.push(long)
      places.set(index, tree.items.length)
      tree.items.push({ at, link, parent, ...texts })
    }
  })
  return { ...tree, invalid }
}

/** The texts of an item as they are stored. A link without a title is called by its address. */
function cleanTexts(
  input: ItemInput,
  link: ItemLink,
  { unfilteredHtml }: WriteContext,
  { titles }: StoredTexts,
): Omit<NewMenuItem, 'link' | 'parent'> {
  const title = input.title ?? input.url ?? ''
  const filtered = (text = ''): string => (unfilteredHtml ? text : kses(text))
  return {
    title: storedTitle(title, linkedTitle(link), { unfilteredHtml, isKept: titles.has(title) }),
    target: menuItemTarget(input.target ?? ''),
    classes: menuItemClasses(input.classes ?? ''),
    xfn: menuItemClasses(input.xfn ?? '').join(' '),
    attrTitle: filtered(input.attrTitle),
    description: filtered(input.description),
  }
}

/**
 * A title as stored: '' where it is that of what the item links, which it then follows. WordPress compares before its filters only
 * (wp_update_nav_menu_item, nav-menu.php); comparing again after them takes `R&D` for the title of a page that is stored as `R&amp;D`.
 * @param original as stored; undefined for an address, which has none
 * @param isKept it is stored without filters
 */
export function storedTitle(
  title: string,
  original: string | undefined,
  { unfilteredHtml, isKept }: { readonly unfilteredHtml: boolean; readonly isKept: boolean },
): string {
  const stored = isKept ? title : menuItemTitle(title, { unfilteredHtml })
  return original === phpTrim(title) || original === stored ? '' : stored
}

function unpublishedItem(at: string, { id, type, path, status }: Post): InvalidItem {
  const name = path === '' ? String(id) : `${id} (${path})`
  const message = `The ${type} ${name} is not published: visitors would not see the item.`
  return { at, reason: 'page_not_published', message, page: id, status }
}

function itemOfOmittedParent(at: string, link: ItemLink | undefined): InvalidItem {
  const message = 'The item stands under one that is left out.'
  const page = link?.type === 'post_type' ? link.post.id : null
  return { at, reason: 'parent_left_out', message, page }
}

/** What is wrong with a title, as it is to be stored, that its column can't hold: to clean it may have made it longer. */
export function findTooLong(title: string, at: string): ItemProblem | undefined {
  return Buffer.byteLength(title) > MAX_TEXT_BYTES
    ? { at, reason: 'bad_title', message: `"title" has at most ${MAX_TEXT_BYTES} bytes.` }
    : undefined
}

/**
 * Refuses a tree of which not all can be written, telling all that is wrong at once. What is not published may be left out.
 * @throws AppError `bad_items` and `menu_items_unresolved` with `errors`, `menu_items_invalid`, each with `invalid` where there is some
 */
export function assertTree(
  { bad, unresolved, invalid }: ResolvedTree,
  { allowInvalid }: { readonly allowInvalid: boolean },
): void {
  const errors = [...bad, ...unresolved].sort((a, b) => compareCoordinates(a.at, b.at))
  const fields = { errors, ...(allowInvalid || invalid.length === 0 ? {} : { invalid }) }
  if (bad.length > 0) {
    throw new AppError(
      'bad_items',
      'Nothing was written: these are not the items of a menu. See errors for what is wrong, and where.',
      fields,
    )
  }
  if (unresolved.length > 0) {
    throw new AppError(
      'menu_items_unresolved',
      'Nothing was written: some items name a page that this site has not, or several. See errors.',
      fields,
    )
  }
  if (invalid.length > 0 && !allowInvalid) {
    throw new AppError(
      'menu_items_invalid',
      'Nothing was written: some items link a page that is not published. Publish it, or send allow_invalid to leave them out.',
      { invalid },
    )
  }
}

/** The order in which items were sent. */
function compareCoordinates(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  const fork = left.findIndex((index, level) => index !== right[level])
  return fork < 0 ? left.length - right.length : (left[fork] ?? 0) - (right[fork] ?? -1)
}

/** Where the one item stands in what was sent. */
export const SINGLE_ITEM_AT = '0'

/**
 * Refuses a single item of which not all can be written, in the codes of single items; what stands below it is a tree.
 * @throws AppError `item_target_required`, `page_not_found`, `ambiguous_page` with `candidates`, and what `assertTree` throws
 */
export function assertSingleItem(resolved: ResolvedTree): void {
  const bad = resolved.bad.find(({ at }) => at === SINGLE_ITEM_AT)
  if (bad && TARGET_REASONS.has(bad.reason)) throw new AppError('item_target_required', bad.message)
  const unresolved = resolved.unresolved.find(({ at }) => at === SINGLE_ITEM_AT)
  if (unresolved && 'page' in unresolved && resolved.bad.length === 0) {
    const { reason, message, page, candidates } = unresolved
    throw new AppError(reason, message, { page, ...(candidates ? { candidates } : {}) })
  }
  assertTree(resolved, { allowInvalid: false })
}

/** What keeps an item from leading anywhere. */
const TARGET_REASONS = new Set(['not_an_item', 'target_required', 'bad_page', 'bad_url'])
