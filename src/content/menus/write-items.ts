import type { Tx } from '../../db/transaction.ts'
import { readRelatedMenus } from '../../wordpress/nav-menus/delete-menu-items.ts'
import { readItemSlugs } from '../../wordpress/nav-menus/insert-menu-items.ts'
import { blankItem, changedItem, storableItems } from '../../wordpress/nav-menus/item-content.ts'
import { itemParent, type SavedItem, type StoredItem } from '../../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { ItemReads } from '../../wordpress/nav-menus/save-menu-items.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Change } from '../work/change.ts'
import { compareItems, type TreeDifference, type WantedItem } from './compare-items.ts'
import type { ItemTree } from './item-tree.ts'
import { lockAndRead, type MenuTarget } from './menu-target.ts'
import { assertTree, type InvalidItem, resolveTree, storedTextsOf } from './resolve-tree.ts'
import { idOfNew, numbered, saveMenu, type WrittenItem, writtenItems } from './save-menu.ts'
import { languagesOf, MENU_CHANGE, type WriteContext } from './write-context.ts'

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
    readKnown(tx, site, id),
  )
  const texts = locking.then(({ stored }) => storedTextsOf(stored))
  const [context, { stored, more: known }, resolved] = await Promise.all([
    writing,
    locking,
    resolveTree(tx, site, writing, tree, texts),
  ])
  assertTree(resolved, { allowInvalid })
  const difference = await compareItems(tx, site, context.links, stored, resolved.items)
  const items = await writeTree(tx, site, stored, difference, context, known)
  return { menu: stored.menu, items, invalid: resolved.invalid, change: MENU_CHANGE }
}

/** Reads what the replacement of the items of a locked menu depends on. */
export async function readKnown(tx: Tx, site: Site, menuId: number): Promise<ItemReads> {
  const [menus, slugs] = await Promise.all([
    readRelatedMenus(tx, site, menuId),
    readItemSlugs(tx, site),
  ])
  return { menus, slugs }
}

/**
 * Gives a menu that the caller has locked the items that it lacks.
 * @returns the wanted items as they are read afterwards
 */
export async function writeTree(
  tx: Tx,
  site: Site,
  before: StoredMenu,
  difference: Omit<TreeDifference, 'isSame'>,
  context: WriteContext,
  known?: ItemReads,
): Promise<WrittenItem[]> {
  const contents = difference.items.map(({ content }) => content)
  const storable = await storableItems(tx, site, contents)
  const entries = entriesOf(before, difference, storable)
  const items = entries.map(({ item }, index) => numbered(item, index))
  const saved = await saveMenu(tx, site, before, { ...before, items }, context, known)
  const ats = entries.map(({ at }) => at)
  return writtenItems(saved.items, ats, difference.objects)
}

/** An item of the menu in its new order, and its position in the tree, if the tree has it. */
type Entry = { readonly item: SavedItem; readonly at?: string }

/**
 * The items that a menu has with the items of a tree.
 * @param contents those of the items of the tree
 */
function entriesOf(
  before: StoredMenu,
  { items, removed }: Pick<TreeDifference, 'items' | 'removed'>,
  contents: readonly WantedItem['content'][],
): Entry[] {
  const stored = new Map(before.items.map((item) => [item.row.ID, item]))
  const gone = new Set(removed.map(({ id }) => id))
  const idOf = (index: number): number =>
    items[index] === undefined ? 0 : (items[index].kept?.id ?? idOfNew(index))
  // A parent that is not in the menu counts as none, and stays as it is; so does one that the tree does not name.
  const known = new Set([...items.flatMap(({ kept }) => kept?.id ?? []), ...gone])
  const entryOf = (index: number): Entry[] => {
    const wanted = items[index]
    const item = wanted?.kept ? stored.get(wanted.kept.id) : blankItem(idOfNew(index))
    if (!wanted || !item) return []
    const [former, parent] = [itemParent(item.meta), idOf(wanted.parent)]
    const isMoved = !wanted.kept || parent !== (known.has(former) ? former : 0)
    const changes = { ...contents[index], ...(isMoved ? { parent } : {}) }
    return [{ item: changedItem(item, changes), at: wanted.at }]
  }
  return sequenceOf(before, items, gone).flatMap((entry) =>
    typeof entry === 'number' ? entryOf(entry) : [{ item: entry }],
  )
}

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
