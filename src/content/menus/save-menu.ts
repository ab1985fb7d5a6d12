import type { Tx } from '../../db/transaction.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import type { ItemContext } from '../../wordpress/nav-menus/insert-menu-items.ts'
import type { MenuItem, SavedItem, StoredItem } from '../../wordpress/nav-menus/menu-item.ts'
import {
  itemContent,
  itemMeta,
  linkedParent,
  type NewMenuItem,
  storableItems,
} from '../../wordpress/nav-menus/new-item.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { type ItemReads, saveMenuItems } from '../../wordpress/nav-menus/save-menu-items.ts'
import { type LinkedObjects, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { recordMenu } from './menu-history.ts'

/** A written item, with its position in the sent tree. */
export type WrittenItem = MenuItem & { readonly at: string }

/**
 * Gives a menu that the caller has locked other items, writes the difference, and records the write.
 * @param items in their order, from which they get their numbers
 * @param context only deletions and another order do without
 * @returns the items as they are stored then, in the same order
 */
export async function saveMenu(
  tx: Tx,
  site: Site,
  before: StoredMenu,
  items: readonly SavedItem[],
  context?: ItemContext,
  known?: ItemReads,
): Promise<StoredItem[]> {
  const { menu } = before
  const after = items.map(numbered)
  const saved = await saveMenuItems(tx, site, menu, before.items, after, context, known)
  await recordMenu(tx, site, { action: 'replaced', before, after: { ...before, items: saved } })
  return saved
}

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
  items: readonly NewMenuItem[],
  under = 0,
): Promise<SavedItem[]> {
  const saved: SavedItem[] = []
  await forEachYielding(await storableItems(tx, site, items), (item, index) => {
    const parent = item.parent < 0 ? under : idOfNew(item.parent)
    saved.push(newItem(item, idOfNew(index), parent))
  })
  return saved
}

/** @param item storable, see `storableItems` */
export function newItem(item: NewMenuItem, id: number, parent: number): SavedItem {
  return {
    row: {
      ID: id,
      menu_order: 0,
      post_status: 'publish',
      post_title: item.title,
      post_excerpt: item.attrTitle,
      post_content: itemContent(item.link.type, item),
    },
    meta: new Map(itemMeta(item, id, parent)),
    postParent: linkedParent(item.link) ?? 0,
  }
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
