import type { Tx } from '../../db/transaction.ts'
import { AppError, errorOf } from '../../host/errors.ts'
import { readRelatedMenus } from '../../wordpress/nav-menus/delete-menu-items.ts'
import { readItemSlugs } from '../../wordpress/nav-menus/insert-menu-items.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { linkedBy } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Change } from '../work/change.ts'
import { type ItemTree, MAX_ITEMS, MAX_LEVELS } from './item-tree.ts'
import { MenuContents } from './menu-contents.ts'
import { lockAndRead, lockWholeTarget, type MenuTarget } from './menu-target.ts'
import { assertSingleItem, type ResolvedItem, resolveTree, SINGLE_ITEM_AT } from './resolve-tree.ts'
import { idOfNew, newItems, saveMenu, writtenItems } from './save-menu.ts'
import { languagesOf, MENU_CHANGE, type WriteContext } from './write-context.ts'

/** An item to add with its descendants, and the id of its parent; 0 for the top level. */
type ItemAddition = { readonly tree: ItemTree; readonly parent: number }

type AddedItem = {
  readonly menu: Menu
  readonly item: MenuItem
  /** Number of items of the menu. */
  readonly total: number
  readonly change: Change
}

/**
 * Adds an item at the end of a level.
 * @throws AppError `item_not_found` for the parent, `bad_items`, and those of `assertSingleItem` and `lockTarget`
 */
export async function addItem(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { tree, parent }: ItemAddition,
  writing: WriteContext | Promise<WriteContext>,
): Promise<AddedItem> {
  const [context, { stored, more: slugs }, resolved] = await Promise.all([
    writing,
    lockAndRead(tx, site, target, languagesOf(writing), () => readItemSlugs(tx, site)),
    resolveTree(tx, site, writing, tree),
  ])
  const { menu } = stored
  assertSingleItem(resolved)
  const contents = new MenuContents(stored.items)
  contents.assertParent(parent)
  assertWithinLimits(contents, parent, resolved.items)
  contents.add(await newItems(tx, site, resolved.items, parent))
  const items = contents.items()
  const saved = await saveMenu(tx, site, stored, { ...stored, items }, context, { slugs })
  const ats = items.map(({ row }) => (row.ID === idOfNew(0) ? SINGLE_ITEM_AT : undefined))
  const [item] = await writtenItems(saved.items, ats, linkedBy(context.links, resolved.items))
  if (!item) throw new Error('menu item was not inserted')
  return { menu, item, total: contents.total, change: MENU_CHANGE }
}

function assertWithinLimits(
  { total, hierarchy }: MenuContents,
  parent: number,
  items: readonly ResolvedItem[],
): void {
  const levels = items.reduce((most, { at }) => Math.max(most, at.split('.').length), 0)
  if (total + items.length > MAX_ITEMS) throw menuTooLarge('too_many_items')
  if (hierarchy.depth(parent) + levels > MAX_LEVELS) throw menuTooLarge('too_deep')
}

const menuTooLarge = (reason: string): AppError =>
  new AppError(
    'bad_items',
    `A menu has at most ${MAX_ITEMS} items on ${MAX_LEVELS} levels; this write would exceed that.`,
    { errors: [{ at: '0', reason }] },
  )

type RemovedItem = {
  readonly menu: Menu
  /** Ids of the item and its descendants, in order. */
  readonly removed: readonly number[]
  /** Number of remaining items. */
  readonly total: number
  readonly change: Change
}

/**
 * Deletes an item with its descendants.
 * @throws AppError `item_not_found`, and those of `lockTarget`
 */
export async function removeItem(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  itemId: number,
): Promise<RemovedItem> {
  const { stored, more: menus } = await lockAndRead(tx, site, target, undefined, (menuId) =>
    readRelatedMenus(tx, site, menuId),
  )
  const { menu } = stored
  const contents = new MenuContents(stored.items)
  contents.assertItem(itemId)
  const removed = contents.hierarchy.branch(itemId)
  contents.hierarchy.remove(itemId)
  const after = { ...stored, items: contents.items() }
  await saveMenu(tx, site, stored, after, undefined, { menus })
  return { menu, removed, total: contents.total, change: MENU_CHANGE }
}

/** A level, named by the id of the parent item (0 for the top level), and the new order of its items. */
type LevelOrder = { readonly parent: number; readonly order: readonly number[] }

type ReorderedLevel = {
  readonly menu: Menu
  /** Ids of all items of the level in their new order. */
  readonly order: readonly number[]
  /** Ids that were not named and are now at the end of the level. */
  readonly appended: readonly number[]
  readonly change: Change
}

/**
 * Reorders the items of one level; descendants move along.
 * @throws AppError `item_not_found`; `bad_reorder` for items of another level or named twice; and those of `lockTarget`
 */
export async function reorderLevel(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { parent, order }: LevelOrder,
): Promise<ReorderedLevel> {
  const stored = await lockWholeTarget(tx, site, target)
  const { menu } = stored
  const contents = new MenuContents(stored.items)
  contents.assertParent(parent)
  for (const id of order) contents.assertItem(id)
  const named = new Set(order)
  const level = contents.hierarchy.level(parent)
  const inLevel = new Set(level)
  const notInLevel = [...named].filter((id) => !inLevel.has(id))
  if (notInLevel.length > 0 || named.size < order.length)
    throw errorOf('bad_reorder', { level, not_in_level: notInLevel })
  const appended = level.filter((id) => !named.has(id))
  const newOrder = [...order, ...appended]
  contents.hierarchy.setLevel(parent, newOrder)
  await saveMenu(tx, site, stored, { ...stored, items: contents.items() })
  return { menu, order: newOrder, appended, change: MENU_CHANGE }
}
