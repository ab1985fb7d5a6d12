import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import { deleteMenuItems } from '../wordpress/nav-menus/delete-menu-items.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { type ItemTree, MAX_ITEMS, MAX_LEVELS } from './item-tree.ts'
import { type MenuContents, readContents } from './menu-contents.ts'
import { lockTarget, type MenuTarget } from './menu-target.ts'
import { assertSingleItem, type ResolvedItem, resolveTree } from './resolve-tree.ts'
import { MENU_CHANGE, type WriteContext } from './write-context.ts'
import { writeItems } from './write-items.ts'

/** An item to add, with what stands below it, and the id of the item under which it goes; 0 for the top. */
export type ItemAddition = { readonly tree: ItemTree; readonly parent: number }

export type AddedItem = {
  readonly menu: Menu
  readonly item: MenuItem
  /** Items of the menu. */
  readonly total: number
  readonly change: Change
}

/**
 * Adds an item at the end of a level (contract, section 4.2.7).
 * @throws AppError `item_not_found` for the parent, `bad_items` where the menu would grow too large, and what `assertSingleItem` and
 * `lockTarget` throw
 */
export async function addItem(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { tree, parent }: ItemAddition,
  authorship: WriteContext,
): Promise<AddedItem> {
  const { links } = authorship
  const menu = await lockTarget(tx, site, links.languages, target)
  const resolved = await resolveTree(tx, site, authorship, tree)
  assertSingleItem(resolved)
  const contents = await readContents(tx, site, links, menu)
  contents.assertParent(parent)
  assertWithinLimits(contents, parent, resolved.items)
  const place = { menu, under: parent, after: contents.countUpToEndOf(parent) }
  const written = await writeItems(tx, site, place, resolved.items, authorship)
  contents.add(written)
  await contents.saveOrder(tx, site)
  const [item] = written
  if (!item) throw new Error('an item was accepted and not written')
  return { menu, item, total: contents.total, change: MENU_CHANGE }
}

function assertWithinLimits(
  { total, hierarchy: arrangement }: MenuContents,
  parent: number,
  items: readonly ResolvedItem[],
): void {
  const levels = items.reduce((most, { at }) => Math.max(most, at.split('.').length), 0)
  if (total + items.length <= MAX_ITEMS && arrangement.depth(parent) + levels <= MAX_LEVELS) return
  throw new AppError(
    'bad_items',
    `A menu has at most ${MAX_ITEMS} items on ${MAX_LEVELS} levels; this one would have more.`,
    {
      errors: [
        { at: '0', reason: total + items.length > MAX_ITEMS ? 'too_many_items' : 'too_deep' },
      ],
    },
  )
}

export type RemovedItem = {
  readonly menu: Menu
  /** Ids of the item and of all that stood below it, in order. */
  readonly removed: readonly number[]
  /** Items that are left. */
  readonly total: number
  readonly change: Change
}

/**
 * Deletes an item with its branch (contract, section 4.2.9).
 * @throws AppError `item_not_found`, and what `lockTarget` throws
 */
export async function removeItem(
  tx: Tx,
  site: Site,
  links: LinkSettings,
  target: MenuTarget,
  itemId: number,
): Promise<RemovedItem> {
  const menu = await lockTarget(tx, site, links.languages, target)
  const contents = await readContents(tx, site, links, menu)
  const { id } = contents.get(itemId)
  const removed = contents.hierarchy.branch(id)
  await deleteMenuItems(tx, site, removed)
  contents.hierarchy.remove(id)
  await contents.saveOrder(tx, site)
  return { menu, removed, total: contents.total, change: MENU_CHANGE }
}

/** A level, by the id of the item above it (0 for the top), and the ids of its items as they are to stand. */
export type LevelOrder = { readonly parent: number; readonly order: readonly number[] }

export type ReorderedLevel = {
  readonly menu: Menu
  /** Ids of all items of the level, as they stand now. */
  readonly order: readonly number[]
  /** Those that were not named, at its end. */
  readonly appended: readonly number[]
  readonly change: Change
}

/**
 * Puts the items of one level in another order; each takes its branch along (contract, section 4.2.10).
 * @throws AppError `item_not_found`, `bad_reorder` for items of another level or named twice, and what `lockTarget` throws
 */
export async function reorderLevel(
  tx: Tx,
  site: Site,
  links: LinkSettings,
  target: MenuTarget,
  { parent, order }: LevelOrder,
): Promise<ReorderedLevel> {
  const menu = await lockTarget(tx, site, links.languages, target)
  const contents = await readContents(tx, site, links, menu)
  contents.assertParent(parent)
  for (const id of order) contents.get(id)
  const named = new Set(order)
  const level = contents.hierarchy.level(parent)
  const inLevel = new Set(level)
  const strangers = [...named].filter((id) => !inLevel.has(id))
  if (strangers.length > 0 || named.size < order.length) {
    throw new AppError(
      'bad_reorder',
      `Name items of one level, each once: this level has ${level.join(', ') || 'none'}.`,
      { level, not_in_level: strangers },
    )
  }
  const appended = level.filter((id) => !named.has(id))
  const arranged = [...order, ...appended]
  contents.hierarchy.setLevel(parent, arranged)
  await contents.saveOrder(tx, site)
  return { menu, order: arranged, appended, change: MENU_CHANGE }
}
