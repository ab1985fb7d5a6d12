import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { deleteMenuItems, readRelatedMenus } from './delete-menu-items.ts'
import { type ItemContext, insertMenuItems, withIds } from './insert-menu-items.ts'
import type { SavedItem, StoredItem } from './menu-item.ts'
import { recountMenus } from './menu-term.ts'
import type { Menu, MenuIds } from './nav-menu.ts'
import { updateMenuItems } from './update-menu-items.ts'

/** What a write of items depends on, as its caller has read it in the packet of the lock. */
export type ItemReads = {
  /** Those of `readRelatedMenus` [read from the tables]. */
  readonly menus?: readonly MenuIds[] | undefined
  /** The slugs of all menu items of the site, by id [read from the tables]. */
  readonly slugs?: ReadonlyMap<number, string> | undefined
}

/**
 * Gives a menu that the caller has locked other items, and writes only the difference. Meta values of plugins stay with the items that stay.
 * @param context only deletions and another order do without
 * @returns the items as they are stored then, in the same order
 */
export async function saveMenuItems(
  tx: Tx,
  site: Site,
  menu: Menu,
  before: readonly StoredItem[],
  after: readonly SavedItem[],
  context: ItemContext | undefined,
  { menus, slugs }: ItemReads = {},
): Promise<StoredItem[]> {
  const stored = new Map(before.map((item) => [item.row.ID, item]))
  const wanted = new Set(after.map(({ row }) => row.ID))
  const gone = [...stored.keys()].filter((id) => !wanted.has(id))
  const added = after.filter(({ row }) => !stored.has(row.ID))
  const isRestated = ({ row }: StoredItem): boolean =>
    row.post_status !== (stored.get(row.ID)?.row.post_status ?? row.post_status)
  // An item may be in several menus.
  const isShared = gone.length > 0 || after.some(isRestated)
  const counted = isShared ? (menus ?? (await readRelatedMenus(tx, site, menu.id))) : [menu]
  deleteMenuItems(tx, site, gone, counted)
  const inserted = await insertMenuItems(tx, site, menu, added, context, { gone, slugs })
  const ids = new Map([...inserted].map(([id, { row }]) => [id, row.ID]))
  const items = after.map((item) => inserted.get(item.row.ID) ?? item)
  // Most writes insert nothing.
  const saved =
    ids.size === 0
      ? items
      : items.map((item) => (stored.has(item.row.ID) ? withIds(item, ids) : item))
  const writes = saved.flatMap((item) => {
    const former = stored.get(item.row.ID)
    return former ? [{ before: former, after: item }] : []
  })
  await updateMenuItems(tx, site, writes, context?.moment)
  if (isShared || added.length > 0) recountMenus(tx, site, counted)
  return saved
}
