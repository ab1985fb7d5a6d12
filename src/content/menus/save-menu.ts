import type { Tx } from '../../db/transaction.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import type { ItemContext } from '../../wordpress/nav-menus/insert-menu-items.ts'
import { blankItem, changedItem, storableItems } from '../../wordpress/nav-menus/item-content.ts'
import type { MenuItem, SavedItem, StoredItem } from '../../wordpress/nav-menus/menu-item.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { type ItemReads, saveMenuItems } from '../../wordpress/nav-menus/save-menu-items.ts'
import { type LinkedObjects, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { recordMenu } from './menu-history.ts'
import type { ResolvedItem } from './resolve-tree.ts'

/** A written item, with its position in the sent tree. */
export type WrittenItem = MenuItem & { readonly at: string }

/** A menu as it is to be stored. */
type WantedMenu = StoredMenu & { readonly items: readonly SavedItem[] }

/** What the caller of a write knows already. */
type MenuReads = ItemReads & {
  /** The menu has just got its id. */
  readonly isNew?: boolean
}

/**
 * Gives a menu that the caller has locked other items, writes the difference, and records the write.
 * @param before undefined for a menu whose term has just been inserted
 * @param context only deletions and another order do without
 * @returns the menu as it is stored then, its items in the same order
 */
export async function saveMenu(
  tx: Tx,
  site: Site,
  before: StoredMenu | undefined,
  after: WantedMenu,
  context?: ItemContext,
  { isNew, ...known }: MenuReads = {},
): Promise<StoredMenu> {
  const { menu, items } = after
  const saved = await saveMenuItems(tx, site, menu, before?.items ?? [], items, context, known)
  const stored = { ...after, items: saved }
  await recordMenu(tx, site, before, stored, isNew)
  return stored
}

/** Items get their numbers from their order. */
export const numbered = (item: SavedItem, index: number): SavedItem =>
  item.row.menu_order === index + 1
    ? item
    : { ...item, row: { ...item.row, menu_order: index + 1 } }

/** The id of an item that is not stored yet, by its index in a list. */
export const idOfNew = (index: number): number => -1 - index

/** New items as they are to be stored. @param under the id of the item that becomes the parent of the list's top level; 0 for none */
export async function newItems(
  tx: Tx,
  site: Site,
  items: readonly ResolvedItem[],
  under = 0,
): Promise<SavedItem[]> {
  const saved: SavedItem[] = []
  await forEachYielding(await storableItems(tx, site, items), (item, index) => {
    const parent = item.parent < 0 ? under : idOfNew(item.parent)
    saved.push(changedItem(blankItem(idOfNew(index)), { ...item, parent }))
  })
  return saved
}

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
