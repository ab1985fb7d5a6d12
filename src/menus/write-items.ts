import { forEachYielding } from '../concurrency/for-each.ts'
import type { Tx } from '../db/transaction.ts'
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
import { itemParent, type MenuItem, type StoredItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { type LinkedObjects, setUpItem } from '../wordpress/nav-menus/set-up-item.ts'
import {
  setItemOrder,
  setItemParents,
  updateMenuItems,
} from '../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Change } from '../work/change.ts'
import { compareItems, type TreeDifference, type WantedItem } from './compare-items.ts'
import type { ItemTree } from './item-tree.ts'
import { linkedBy } from './linked-objects.ts'
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
  const prepared = await prepareItems(tx, site, items, context)
  const stored = await insertMenuItems(tx, site, position, prepared, context, slugs.values())
  const objects = linkedBy(context.links, items)
  const written: WrittenItem[] = []
  await forEachYielding(stored, (item, index) => {
    written.push(writtenItem(item, items[index]?.at ?? '', objects))
  })
  return written
}

function writtenItem(stored: StoredItem, at: string, objects: LinkedObjects): WrittenItem {
  // Assigned, not spread: copying the fields takes longer than computing them.
  return Object.assign(setUpItem(stored, stored.row.menu_order, objects), { at, stored })
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
 * @throws AppError `bad_items`, `menu_items_unresolved`, `menu_items_invalid`, and those of `lockTarget`
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
  { items, removed, objects }: Omit<TreeDifference, 'isSame'>,
  context: WriteContext,
  replaced?: ReplacedItems,
): Promise<WrittenItem[]> {
  const { menu } = before
  const { menus, slugs } = replaced ?? (await readReplaced(tx, site, menu.id))
  const gone = removed.map(({ id }) => id)
  const hasNew = items.some(({ kept }) => !kept)
  await deleteMenuItems(tx, site, gone, menus, hasNew ? menu.id : undefined)
  for (const id of gone) slugs.delete(id)

  const sequence = sequenceOf(before, items, new Set(gone))
  const orders = new Map(sequence.map((entry, index) => [entry, index + 1]))
  const added = await insertNewItems(tx, site, menu, items, orders, context, slugs)
  const kept = await updateKeptItems(tx, site, before, { items, removed }, added, context.moment)
  const changed = (entry: number | StoredItem): StoredItem | undefined =>
    typeof entry === 'number' ? (added.get(entry) ?? kept.get(entry)) : entry
  const stored = sequence.flatMap((entry) => changed(entry) ?? [])
  const first = stored.findIndex(({ row }, index) => row.menu_order !== index + 1)
  const ids = stored.map(({ row }) => row.ID)
  if (first >= 0) setItemOrder(tx, site, ids, first)

  const ordered = stored.map(inOrder)
  await recordMenu(tx, site, { action: 'replaced', before, after: { ...before, items: ordered } })
  const written: WrittenItem[] = []
  await forEachYielding(sequence, (entry, index) => {
    const [item, wanted] = [ordered[index], typeof entry === 'number' ? items[entry] : undefined]
    if (item && wanted) written.push(writtenItem(item, wanted.at, objects))
  })
  return written
}

const inOrder = (item: StoredItem, index: number): StoredItem =>
  item.row.menu_order === index + 1
    ? item
    : { ...item, row: { ...item.row, menu_order: index + 1 } }

/**
 * The items of the menu in their new order, those of the tree by their index. An item that stays though the tree does not have it comes after the item
 * that it came after before.
 */
function sequenceOf(
  { items: stored }: StoredMenu,
  items: readonly WantedItem[],
  gone: ReadonlySet<number>,
): readonly (number | StoredItem)[] {
  const indexes = new Map(items.flatMap(({ kept }, index) => (kept ? [[kept.id, index]] : [])))
  const following = new Map<number, StoredItem[]>()
  let previous = -1
  for (const item of stored) {
    const index = indexes.get(item.row.ID)
    if (index !== undefined) previous = index
    else if (!gone.has(item.row.ID))
      following.set(previous, [...(following.get(previous) ?? []), item])
  }
  const after = (index: number): readonly StoredItem[] => following.get(index) ?? []
  return [...after(-1), ...items.flatMap((_, index) => [index, ...after(index)])]
}

/**
 * Inserts the new items of a tree.
 * @param orders of all items, by their index in the tree
 * @returns them by their index in the tree
 */
async function insertNewItems(
  tx: Tx,
  site: Site,
  menu: Menu,
  items: readonly WantedItem[],
  orders: ReadonlyMap<number | StoredItem, number>,
  context: WriteContext,
  slugs: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, StoredItem>> {
  /** Index in the tree to index among the new items. */
  const indexes = new Map<number, number>()
  const added: ResolvedItem[] = []
  for (const [index, item] of items.entries()) {
    if (item.kept) continue
    indexes.set(index, added.length)
    const position = { under: items[item.parent]?.kept?.id ?? 0, order: orders.get(index) ?? 0 }
    added.push({ ...item.added, parent: indexes.get(item.parent) ?? -1, position })
  }
  const prepared = await prepareItems(tx, site, added, context)
  const start = { menu, under: 0, after: 0 }
  const stored = await insertMenuItems(tx, site, start, prepared, context, slugs.values())
  const inTree = [...indexes.keys()]
  return new Map([...stored].map((item, index) => [inTree[index] ?? -1, item]))
}

/** @returns the items that the menu keeps, as they are stored then, by their index in the tree */
async function updateKeptItems(
  tx: Tx,
  site: Site,
  before: StoredMenu,
  { items, removed }: Pick<TreeDifference, 'items' | 'removed'>,
  added: ReadonlyMap<number, StoredItem>,
  moment: WriteContext['moment'],
): Promise<ReadonlyMap<number, StoredItem>> {
  const byId = new Map(before.items.map((item) => [item.row.ID, item]))
  const kept = items.flatMap((wanted, index) => {
    const item = wanted.kept && byId.get(wanted.kept.id)
    return item ? { index, item, parent: wanted.parent, changes: wanted.changes } : []
  })
  const updated = await updateMenuItems(tx, site, kept, moment)
  // A parent that is not in the menu counts as none, and stays as it is; so does one that the tree does not name.
  const known = new Set([...kept.map(({ item }) => item.row.ID), ...removed.map(({ id }) => id)])
  const moves = kept.flatMap(({ item: { meta }, parent }, index) => {
    const id = added.get(parent)?.row.ID ?? items[parent]?.kept?.id ?? 0
    const former = itemParent(meta)
    const item = updated[index]
    return item && id !== (known.has(former) ? former : 0) ? { item, id } : []
  })
  const moved = await setItemParents(
    tx,
    site,
    moves.map(({ item }) => item),
    moves.map(({ id }) => id),
    moment,
  )
  const byMoved = new Map(moved.map((item) => [item.row.ID, item]))
  return new Map(
    kept.flatMap(({ index, item }, position) => [
      [index, byMoved.get(item.row.ID) ?? updated[position] ?? item],
    ]),
  )
}
