import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Site } from '../wordpress/network/site.ts'
import { MENU_CHANGE, type WriteContext } from './write-context.ts'
import { type MenuTarget, lockTarget } from './menu-target.ts'
import { type MenuContents, readContents } from './menu-contents.ts'
import { type ResolvedItem, assertSingleItem, resolveTree } from './resolve-tree.ts'
import { type ItemTree, MAX_ITEMS, MAX_LEVELS } from './item-tree.ts'
import { writeItems } from './written-items.ts'

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
