import { forEachYielding } from '../concurrency/for-each.ts'
import type { Tx } from '../db/transaction.ts'
import { DomainError } from '../errors.ts'
import {
  deleteMenuItems,
  type MenuIds,
  readRelatedMenus,
} from '../wordpress/nav-menus/delete-menu-items.ts'
import {
  type InsertPosition,
  insertMenuItems,
  prepareItems,
  readItemSlugs,
} from '../wordpress/nav-menus/insert-menu-items.ts'
import type { MenuItem, StoredItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import { linkItems, readWholeMenu, type StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { linkedTerms, setUpItem } from '../wordpress/nav-menus/set-up-item.ts'
import {
  setItemOrder,
  setItemParents,
  updateMenuItems,
} from '../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Change } from '../work/change.ts'
import { compareItems, type TreeDifference, type WantedItem } from './compare-items.ts'
import type { ItemTree } from './item-tree.ts'
import { recordMenu } from './menu-history.ts'
import { lockAndRead, type MenuTarget } from './menu-target.ts'
import {
  assertTree,
  type InvalidItem,
  type ResolvedItem,
  resolveTree,
  storedTextsOf,
} from './resolve-tree.ts'
import { languagesOf, MENU_CHANGE, type WriteContext } from './write-context.ts'

/** A written item, with its position in the sent tree, and as stored. */
export type WrittenItem = MenuItem & { readonly at: string; readonly stored: StoredItem }

/**
 * Inserts resolved items into a menu and returns them in the form in which they will be read.
 * @param slugs those of the other items of the site, by id
 */
export async function writeItems(
  tx: Tx,
  site: Site,
  position: InsertPosition,
  items: readonly ResolvedItem[],
  context: WriteContext,
  slugs: ReadonlyMap<number, string>,
): Promise<WrittenItem[]> {
  const { links } = context
  const prepared = await prepareItems(tx, site, items, context)
  const stored = await insertMenuItems(tx, site, position, prepared, context, slugs.values())
  const posts = new Map(
    items.flatMap(({ link }) => (link.type === 'post_type' ? [[link.post.id, link.post]] : [])),
  )
  const terms = linkedTerms(
    items.flatMap(({ link }) => (link.type === 'taxonomy' ? [link.term] : [])),
  )
  const viewer = { readsPrivate: false, lang: null }
  const written: WrittenItem[] = []
  await forEachYielding(stored, (item, index) => {
    const set = setUpItem(item, item.row.menu_order, { links, posts, terms, viewer })
    // Assigned, not spread: copying the fields takes longer than computing them.
    written.push(Object.assign(set, { at: items[index]?.at ?? '', stored: item }))
  })
  return written
}

export type WrittenMenu = {
  readonly menu: Menu
  readonly items: readonly WrittenItem[]
  /** What was left out. */
  readonly invalid: readonly InvalidItem[]
  readonly change: Change
}

/** The items that a menu is to have. */
export type MenuTree = {
  readonly tree: ItemTree
  /** Leaves out items on unpublished pages, with their descendants, instead of rejecting the tree. */
  readonly allowInvalid: boolean
}

/**
 * Gives a menu the sent tree, which names no ids. If any item is rejected, none is written.
 * @throws DomainError `items_malformed`, `items_unresolved`, `items_unpublished`, and those of `lockTarget`
 */
export async function replaceItems(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { tree, allowInvalid }: MenuTree,
  writing: WriteContext | Promise<WriteContext>,
): Promise<WrittenMenu> {
  const locking = lockAndRead(tx, site, target, languagesOf(writing), (id) =>
    readReplaced(tx, site, id),
  )
  const texts = locking.then(({ stored }) => storedTextsOf(stored))
  const [context, { stored, more: replaced }, resolved] = await Promise.all([
    writing,
    locking,
    resolveTree(tx, site, writing, tree, texts),
  ])
  assertTree(resolved, { allowInvalid })
  const difference = await compareItems(tx, site, context.links, stored, resolved.items)
  const items = await writeTree(tx, site, stored, difference, context, replaced)
  return { menu: stored.menu, items, invalid: resolved.invalid, change: MENU_CHANGE }
}

type ReplacedItems = {
  /** The menus that contain the items. */
  readonly menus: readonly MenuIds[]
  /** The slugs of all items of the site, by id. */
  readonly slugs: Map<number, string>
}

/** Reads what the replacement of all items of a locked menu depends on. */
export async function readReplaced(tx: Tx, site: Site, menuId: number): Promise<ReplacedItems> {
  const [menus, slugs] = await Promise.all([
    readRelatedMenus(tx, site, menuId),
    readItemSlugs(tx, site),
  ])
  return { menus, slugs }
}

/**
 * Gives a menu that the caller has locked the items that it lacks, and records the write. Items that stay keep their rows; of these only what
 * differs is written.
 * @returns the wanted items as they are read afterwards
 */
export async function writeTree(
  tx: Tx,
  site: Site,
  before: StoredMenu,
  difference: Omit<TreeDifference, 'isSame'>,
  context: WriteContext,
  replaced?: ReplacedItems,
): Promise<WrittenItem[]> {
  const { menu } = before
  const { menus, slugs } = replaced ?? (await readReplaced(tx, site, menu.id))
  const removed = difference.removed.map(({ id }) => id)
  const added = difference.items.flatMap((item) => (item.kept ? [] : [item.added]))
  await deleteMenuItems(tx, site, removed, menus, added.length > 0 ? menu.id : undefined)
  for (const id of removed) slugs.delete(id)
  if (added.length === difference.items.length && removed.length === before.items.length) {
    const position = { menu, under: 0, after: 0 }
    const written = await writeItems(tx, site, position, added, context, slugs)
    const after = { ...before, items: written.map(({ stored }) => stored) }
    await recordMenu(tx, site, { action: 'replaced', before, after })
    return written
  }
  const ids = await insertNewItems(tx, site, menu, difference.items, context, slugs)
  const changes = difference.items.flatMap(({ kept, ...item }) =>
    kept && 'changes' in item ? [{ item: kept, changes: item.changes }] : [],
  )
  const parents = movedParents(difference, ids)
  await updateMenuItems(tx, site, changes, context.moment)
  await setItemParents(tx, site, parents, context.moment)
  const order = wholeOrder(before, removed, ids)
  const numbers = new Map(before.items.map(({ row }) => [row.ID, row.menu_order]))
  const first = order.findIndex((id, index) => numbers.get(id) !== index + 1)
  if (first >= 0) setItemOrder(tx, site, order, first)

  const isSame =
    removed.length + added.length + parents.size === 0 &&
    first < 0 &&
    changes.every((update) => Object.keys(update.changes).length === 0)
  const after = isSame ? before : ((await readWholeMenu(tx, site, menu.id)) ?? before)
  await recordMenu(tx, site, { action: 'replaced', before, after })
  return readWritten(tx, site, after, difference.items, ids, context)
}

/**
 * Inserts the new items, those below others at the top level for now.
 * @returns the ids of all items of the tree
 */
async function insertNewItems(
  tx: Tx,
  site: Site,
  menu: Menu,
  items: readonly WantedItem[],
  context: WriteContext,
  slugs: ReadonlyMap<number, string>,
): Promise<readonly number[]> {
  /** Index in the tree to index among the new items. */
  const indexes = new Map<number, number>()
  const added: ResolvedItem[] = []
  for (const [index, item] of items.entries()) {
    if (item.kept) continue
    indexes.set(index, added.length)
    added.push({ ...item.added, parent: indexes.get(item.parent) ?? -1 })
  }
  const prepared = await prepareItems(tx, site, added, context)
  const position = { menu, under: 0, after: 0 }
  const stored = [...(await insertMenuItems(tx, site, position, prepared, context, slugs.values()))]
  return items.map(({ kept }, index) => {
    const id = kept?.id ?? stored[indexes.get(index) ?? -1]?.row.ID
    if (id === undefined) throw new DomainError('menu_deleted', { ref: String(menu.id) })
    return id
  })
}

/** The new parents of items that are below another one than before, by the ids of the items. */
function movedParents(
  { items, removed }: Omit<TreeDifference, 'isSame'>,
  ids: readonly number[],
): ReadonlyMap<number, number> {
  const known = new Set([
    ...items.flatMap(({ kept }) => kept?.id ?? []),
    ...removed.map(({ id }) => id),
  ])
  const parents = new Map<number, number>()
  for (const [index, item] of items.entries()) {
    const parent = ids[item.parent] ?? 0
    // A parent that is not in the menu counts as none, and stays as it is; so does one that the tree does not name.
    const former = item.kept && known.has(item.kept.parent) ? item.kept.parent : 0
    const isInserted = !item.kept && (item.parent < 0 || !items[item.parent]?.kept)
    if (!isInserted && parent !== former) parents.set(ids[index] ?? 0, parent)
  }
  return parents
}

/** The order of the tree; an item that stays though the tree does not have it comes after the item that it came after before. */
function wholeOrder(
  { items }: StoredMenu,
  removed: readonly number[],
  ids: readonly number[],
): readonly number[] {
  const named = new Set([...ids, ...removed])
  if (items.every(({ row }) => named.has(row.ID))) return ids
  const following = new Map<number, number[]>()
  const isRemoved = new Set(removed)
  let previous = 0
  for (const { row } of items) {
    if (isRemoved.has(row.ID)) continue
    if (!named.has(row.ID)) {
      const list = following.get(previous) ?? []
      following.set(previous, list)
      list.push(row.ID)
    } else previous = row.ID
  }
  return [0, ...ids].flatMap((id) => [...(id === 0 ? [] : [id]), ...(following.get(id) ?? [])])
}

async function readWritten(
  tx: Tx,
  site: Site,
  after: StoredMenu,
  wanted: readonly WantedItem[],
  ids: readonly number[],
  { links }: WriteContext,
): Promise<WrittenItem[]> {
  const { items } = await linkItems(tx, site, links, after)
  const indexes = new Map(items.map(({ id }, index) => [id, index]))
  return wanted.flatMap(({ at }, index): WrittenItem[] => {
    const position = indexes.get(ids[index] ?? 0) ?? -1
    const [item, stored] = [items[position], after.items[position]]
    return item && stored ? [{ ...item, at, stored }] : []
  })
}
