import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import { deleteMenuItems } from '../wordpress/nav-menus/delete-menu-items.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { type MenuTarget, lockTarget } from './menu-target.ts'
import { MENU_CHANGE } from './write-context.ts'
import { readContents } from './menu-contents.ts'

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
