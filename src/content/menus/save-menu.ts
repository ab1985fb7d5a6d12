import type { Tx } from '../../db/transaction.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import type { ItemContext } from '../../wordpress/nav-menus/insert-menu-items.ts'
import type { MenuItem, SavedItem, StoredItem } from '../../wordpress/nav-menus/menu-item.ts'
import { renameMenuTerm } from '../../wordpress/nav-menus/menu-term.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { saveMenuItems } from '../../wordpress/nav-menus/save-menu-items.ts'
import { type LinkedObjects, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { recordMenu } from './menu-history.ts'
import type { LockedMenu } from './menu-target.ts'

/** A written item, with its position in the sent tree. */
export type WrittenItem = MenuItem & { readonly at: string }

/** A menu as it is to be stored. */
type WantedMenu = StoredMenu & { readonly items: readonly SavedItem[] }

/**
 * Gives a menu that the caller has locked other names or items, writes the difference, and records the write.
 * @param context only deletions and another order do without
 * @returns the menu as it is stored then, its items in the same order
 */
export async function saveMenu(
  tx: Tx,
  site: Site,
  before: LockedMenu,
  after: WantedMenu,
  context?: ItemContext,
): Promise<StoredMenu> {
  const { known, inserted } = before
  const isRenamed = after.menu !== before.menu
  const menu = isRenamed ? renameMenuTerm(tx, site, before.menu, after.menu) : before.menu
  const items =
    after.items === before.items
      ? before.items
      : await saveMenuItems(tx, site, menu, before.items, after.items, context, known)
  const stored = { ...after, menu, items }
  await recordMenu(tx, site, inserted ? undefined : before, stored, inserted === 'new')
  return stored
}

/** Items get their numbers from their order. */
export const numbered = (item: SavedItem, index: number): SavedItem =>
  item.row.menu_order === index + 1
    ? item
    : { ...item, row: { ...item.row, menu_order: index + 1 } }

/** The id of an item that is not stored yet, by its index in a list. */
export const idOfNew = (index: number): number => -1 - index

/**
 * Saved items as they are read afterwards.
 * @param ats the position of each in the sent tree; those without one are left out
 */
export async function writtenItems(
  saved: readonly StoredItem[],
  ats: readonly (string | undefined)[],
  objects: LinkedObjects,
): Promise<WrittenItem[]> {
  const written: WrittenItem[] = []
  await forEachYielding(saved, (item, index) => {
    const at = ats[index]
    // Assigned, not spread: copying the fields takes longer than computing them.
    if (at !== undefined)
      written.push(Object.assign(setUpItem(item, item.row.menu_order, objects), { at }))
  })
  return written
}
