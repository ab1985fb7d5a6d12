import { phpTrim } from '#php-serialized'
import type { Db } from '../../db/database.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { AppError, errorOf } from '../../host/errors.ts'
import { kses } from '../../wordpress/formatting/kses.ts'
import {
  menuItemClasses,
  menuItemTitle,
  sanitizeKey,
} from '../../wordpress/formatting/menu-texts.ts'
import {
  type ItemContent,
  type ItemLink,
  linkedTitle,
} from '../../wordpress/nav-menus/item-content.ts'
import {
  eachText,
  type ItemTextName,
  type ItemTexts,
  storedTexts,
  withoutEmptyClasses,
} from '../../wordpress/nav-menus/menu-item.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { switcherIn } from '../../wordpress/nav-menus/set-up-item.ts'
import {
  SWITCHER_TITLE,
  SWITCHER_URL,
  type SwitcherSettings,
} from '../../wordpress/nav-menus/switcher.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Post } from '../../wordpress/pages/posts.ts'
import { readNamedObjects, resolveLinks, type UnresolvedItem } from './item-links.ts'
import { type ItemInput, type ItemProblem, type ItemTree, MAX_TEXT_BYTES } from './item-tree.ts'
import { languagesOf, type WriteContext } from './write-context.ts'

/** An item that leads visitors nowhere: the linked page is not published, or the item is below such an item, which is left out. */
export type InvalidItem = ItemProblem & {
  readonly reason: 'page_not_published' | 'parent_left_out'
  /** Id of the page; null for a link. */
  readonly page: number | null
  /** Status of the page. */
  readonly status?: string
}

/** An item that can be written, with its position in the sent tree. */
export type ResolvedItem = ItemContent & {
  readonly at: string
  /** Index of the parent in the list; -1 at the top. */
  readonly parent: number
  /** The title as sent; undefined if none was sent. */
  readonly sentTitle: string | undefined
}

/** A tree with resolved links and sanitized texts, and all problems in the order of the items. */
export type ResolvedTree = {
  /** Without the invalid items. */
  readonly items: readonly ResolvedItem[]
  /** Items of a wrong form. */
  readonly bad: readonly ItemProblem[]
  readonly unresolved: readonly UnresolvedItem[]
  readonly invalid: readonly InvalidItem[]
}

/**
 * Texts that a menu contains already. They are written unchanged, without the filters for new texts, so that a caller who sends back the
 * tree that was read changes nothing, even if the caller may not write such a text or a write would store it in another form.
 */
type StoredMenuTexts = {
  readonly titles: ReadonlySet<string>
  /** URLs of custom links. */
  readonly urls: ReadonlySet<string>
  /** URLs of custom links with a blank title, as a plugin may store them. */
  readonly untitled: ReadonlySet<string>
  /** Ids of posts that may be linked though they are not published, because the menu links them already [none]. */
  readonly posts?: ReadonlySet<number>
  /** The settings of Polylang's language switchers, in the order of the items. */
  readonly switchers: readonly SwitcherSettings[]
  /** The other texts by their names, as they are read and as they are stored. */
  readonly others: { readonly [Name in ItemTextName]: ReadonlyMap<string, string> }
}

/** The texts of the published items of a menu. */
export function storedTextsOf({ items }: Pick<StoredMenu, 'items'>): StoredMenuTexts {
  const published = items.filter(({ row }) => row.post_status === 'publish')
  return {
    titles: new Set(published.map(({ row }) => row.post_title)),
    urls: new Set(published.flatMap(({ meta }) => meta.get('_menu_item_url') || [])),
    untitled: new Set(
      published.flatMap(({ row, meta }) => {
        const url = phpTrim(row.post_title) === '' && meta.get('_menu_item_url')
        return url && url !== SWITCHER_URL ? url : []
      }),
    ),
    switchers: published.flatMap(({ meta }) => switcherIn(meta) ?? []),
    others: otherTextsOf(published.map(storedTexts)),
  }
}

function otherTextsOf(items: readonly ItemTexts[]): StoredMenuTexts['others'] {
  // A menu file leaves out empty classes.
  const forms = (name: ItemTextName, text: string): readonly string[] =>
    name === 'classes' ? [withoutEmptyClasses(text), text] : [text]
  const textsOf = (name: ItemTextName): [string, string][] =>
    items.flatMap((item) => forms(name, item[name]).map((form) => [form, item[name]]))
  return eachText((name) => new Map(textsOf(name)))
}

/**
 * Resolves the links of a tree and sanitizes its texts as WordPress does. All items are checked, even after a problem; titles up to the first one that is too long.
 * While the context and the texts are still being read, the linked pages are read too.
 * @param texts texts that are written unchanged
 */
export async function resolveTree(
  db: Db,
  site: Site,
  writing: WriteContext | Promise<WriteContext>,
  sent: ItemTree,
  texts: StoredMenuTexts | Promise<StoredMenuTexts> = storedTextsOf({ items: [] }),
): Promise<ResolvedTree> {
  const [context, known, named] = await Promise.all([
    writing,
    texts,
    readNamedObjects(db, site, languagesOf(writing), sent),
  ])
  const findLink = resolveLinks(named, context.links, known.urls)
  const tree = {
    items: [] as ResolvedItem[],
    bad: [...sent.problems],
    unresolved: [] as UnresolvedItem[],
  }
  const invalid: InvalidItem[] = []
  /** A language switcher keeps the settings of the switcher that it replaces: the first one those of the first one, and so on. */
  const kept = known.switchers.values()
  /** Index in the sent tree to index in the resolved tree; items that are left out have no entry. */
  const indexes = new Map([[-1, -1]])
  let isTooLong = false
  await forEachYielding(sent.items, (input, index) => {
    const { at } = input
    const { bad, unresolved, post, link: other } = findLink(input)
    const isPublic = !post || post.status === 'publish' || known.posts?.has(post.id)
    const unpublished = isPublic ? undefined : post
    const linked = isSwitcher(other) ? { ...other, kept: kept.next().value } : other
    const link = post ? ({ type: 'post_type', post } as const) : linked
    const parent = indexes.get(input.parent)
    if (bad) tree.bad.push(bad)
    if (unresolved) tree.unresolved.push(unresolved)
    if (unpublished) invalid.push(unpublishedItem(at, unpublished))
    else if (parent === undefined) invalid.push(itemOfOmittedParent(at, link))
    // The children of an item with a problem are checked as if they were at the top level. Titles take long to filter: after one that is too
    // long, nothing will be written, and no other one is looked at.
    else if (!link || isTooLong) indexes.set(index, -1)
    else {
      const texts = cleanTexts(input, link, context, known)
      const tooLong = findTooLong(texts.title, at)
      if (tooLong) tree.bad.push(tooLong)
      isTooLong = tooLong !== undefined
      indexes.set(index, tree.items.length)
      tree.items.push({ at, link, parent, ...texts })
    }
  })
  return { ...tree, invalid }
}

/** The sanitized texts of an item. The default title of a custom link is its URL as sent. */
function cleanTexts(
  input: ItemInput,
  link: ItemLink,
  { unfilteredHtml }: WriteContext,
  { titles, untitled, others }: StoredMenuTexts,
): Omit<ResolvedItem, 'at' | 'link' | 'parent'> {
  const title = input.title ?? input.url ?? ''
  const isUnchanged = titles.has(title)
  const staysBlank = isUnchanged && link.type === 'custom' && untitled.has(link.url)
  return {
    title: staysBlank
      ? title
      : storedTitle(title, { ...titleDefaults(link), unfilteredHtml, isUnchanged }),
    sentTitle: input.title,
    ...eachText((name) => {
      const text = input[name] ?? ''
      return others[name].get(text) ?? cleanText(name, text, unfilteredHtml)
    }),
  }
}

/** A text as WordPress stores it. */
export function cleanText(name: ItemTextName, text: string, unfilteredHtml: boolean): string {
  switch (name) {
    case 'target':
      return sanitizeKey(text)
    case 'classes':
    case 'xfn':
      return menuItemClasses(text).join(' ')
    case 'attr_title':
      return unfilteredHtml ? text : kses(text)
    case 'description':
      if (text === ' ') return ''
      return unfilteredHtml ? text : kses(text)
  }
}

type TitleRules = TitleDefaults & {
  readonly unfilteredHtml: boolean
  /** The title is stored without filters. */
  readonly isUnchanged: boolean
}

/** What an item without its own title shows. */
type TitleDefaults = {
  /** Title of the linked object as stored; undefined for a custom link, and for an archive. */
  readonly original?: string | undefined
  /** URL of a custom link. */
  readonly address?: string | undefined
}

export const titleDefaults = (link: ItemLink): TitleDefaults =>
  link.type === 'custom' ? { address: link.url } : { original: linkedTitle(link) }

/**
 * The title to store: '' if it equals the title of the linked object, which the item then follows. WordPress compares only before its
 * filters (wp_update_nav_menu_item, nav-menu.php); comparing after them as well matches `R&D` with a page title stored as `R&amp;D`.
 *
 * A custom link gets its address instead of a blank title, a language switcher the title that Polylang stores: at the next save, WordPress's
 * menu screen deletes items without a title, and loses the items below them (wp_nav_menu_update_menu_items, wp-admin/includes/nav-menu.php).
 */
export function storedTitle(
  title: string,
  { original, address, unfilteredHtml, isUnchanged }: TitleRules,
): string {
  const filtered = (text: string): string => menuItemTitle(text, { unfilteredHtml })
  const stored = isUnchanged ? title : filtered(title)
  if (address !== undefined && phpTrim(stored) === '')
    return address === SWITCHER_URL ? SWITCHER_TITLE : filtered(address)
  return original === phpTrim(title) || original === stored ? '' : stored
}

const isSwitcher = (link: ItemLink | undefined): link is Extract<ItemLink, { type: 'custom' }> =>
  link?.type === 'custom' && link.url === SWITCHER_URL

function unpublishedItem(at: string, { id, type, path, status }: Post): InvalidItem {
  const name = path === '' ? String(id) : `${id} (${path})`
  const message = `The ${type} ${name} is not published (its status is ${status}), so visitors who follow the link would not find it.`
  return { at, reason: 'page_not_published', message, page: id, status }
}

function itemOfOmittedParent(at: string, link: ItemLink | undefined): InvalidItem {
  const message = 'The item is below an item that is left out.'
  const page = link?.type === 'post_type' ? link.post.id : null
  return { at, reason: 'parent_left_out', message, page }
}

/** The problem of a title that is too long for its column, checked after sanitizing, which may have made it longer. */
export function findTooLong(title: string, at: string): ItemProblem | undefined {
  return Buffer.byteLength(title) > MAX_TEXT_BYTES
    ? { at, reason: 'bad_title', message: `"title" may have at most ${MAX_TEXT_BYTES} bytes.` }
    : undefined
}

/**
 * Rejects a tree that cannot be written completely, with all problems at once. Items on unpublished pages may be left out.
 * @throws AppError `bad_items`, `menu_items_unresolved`, `menu_items_invalid`
 */
export function assertTree(
  { bad, unresolved, invalid }: ResolvedTree,
  { allowInvalid }: { readonly allowInvalid: boolean },
): void {
  const errors = [...bad, ...unresolved].sort((a, b) => compareCoordinates(a.at, b.at))
  const fields = { errors, ...(allowInvalid || invalid.length === 0 ? {} : { invalid }) }
  if (bad.length > 0) throw errorOf('bad_items', fields)
  if (unresolved.length > 0) throw errorOf('menu_items_unresolved', fields)
  if (invalid.length > 0 && !allowInvalid) throw errorOf('menu_items_invalid', { invalid })
}

/** Sorts positions in the order of the sent tree. */
export function compareCoordinates(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  const fork = left.findIndex((index, level) => index !== right[level])
  return fork < 0 ? left.length - right.length : (left[fork] ?? 0) - (right[fork] ?? -1)
}

/** Position of the item in a tree of one item. */
export const SINGLE_ITEM_AT = '0'

/**
 * Rejects a tree of one item, and the children below it, that cannot be written completely. Problems of the item's own link have kinds of
 * their own.
 * @throws AppError `item_target_required`, `page_not_found`, `ambiguous_page`, and those of `assertTree`
 */
export function assertSingleItem(resolved: ResolvedTree): void {
  const bad = resolved.bad.find(({ at }) => at === SINGLE_ITEM_AT)
  if (bad && TARGET_REASONS.has(bad.reason)) throw new AppError('item_target_required', bad.message)
  const unresolved = resolved.unresolved.find(({ at }) => at === SINGLE_ITEM_AT)
  if (unresolved && resolved.bad.length === 0) {
    const { message } = unresolved
    if (!('page' in unresolved)) throw new AppError('item_target_required', message)
    const { reason, page, candidates } = unresolved
    throw new AppError(reason, message, { page, ...(candidates ? { candidates } : {}) })
  }
  assertTree(resolved, { allowInvalid: false })
}

/** Reasons that mean that an item has no usable target. */
const TARGET_REASONS = new Set(['not_an_item', 'target_required', 'bad_page', 'bad_url'])
