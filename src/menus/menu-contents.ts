import type { Tx } from '../db/transaction.ts'
import { errorOf } from '../errors.ts'
import { itemParent, type StoredItem } from '../wordpress/nav-menus/menu-item.ts'
import type { StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { setItemOrder } from '../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import { recordMenu } from './menu-history.ts'
import type { WrittenItem } from './write-items.ts'

/** The items of a locked menu and their hierarchy. */
export class MenuContents {
  readonly hierarchy: ItemHierarchy
  readonly #stored: Map<number, StoredItem>

  /** @param items in their stored order */
  constructor(items: readonly StoredItem[]) {
    this.hierarchy = new ItemHierarchy(
      items.map(({ row, meta }) => ({ id: row.ID, parent: itemParent(meta) })),
    )
    this.#stored = new Map(items.map((item) => [item.row.ID, item]))
  }

  /** @throws AppError `item_not_found` unless the id is of an item of the menu */
  assertItem(id: number): void {
    if (!this.#stored.has(id)) throw errorOf('item_not_found', { id })
  }

  /** @throws AppError `item_not_found` unless the id is 0, the top level, or of an item of the menu */
  assertParent(id: number): void {
    if (id !== 0) this.assertItem(id)
  }

  /** Adds items that were inserted at the end of a level, parents before their children. */
  add(items: readonly WrittenItem[]): void {
    for (const item of items) {
      this.#stored.set(item.id, item.stored)
      this.hierarchy.append(item.id, item.parent)
    }
  }

  /** Replaces an item that was written, but for its position. */
  set(item: StoredItem): void {
    this.#stored.set(item.row.ID, item)
  }

  /** The position of an item in the menu, from 1. */
  orderOf(id: number): number {
    return this.hierarchy.branch(0).indexOf(id) + 1
  }

  /** The number of items up to the end of a level, including descendants. */
  countUpToEndOf(parent: number): number {
    return (parent === 0 ? 0 : this.orderOf(parent) - 1) + this.hierarchy.branch(parent).length
  }

  /** The number of items of the menu. */
  get total(): number {
    return this.hierarchy.branch(0).length
  }

  /** Stores the current order, numbered from 1, and records the write of the menu. Items before the first wrong number are not written. */
  async save(tx: Tx, site: Site, before: StoredMenu): Promise<void> {
    const ids = this.hierarchy.branch(0)
    const first = ids.findIndex((id, index) => this.#stored.get(id)?.row.menu_order !== index + 1)
    if (first >= 0) setItemOrder(tx, site, ids, first)
    const items = ids.flatMap((id, index) => {
      const item = this.#stored.get(id)
      return item ? [{ ...item, row: { ...item.row, menu_order: index + 1 } }] : []
    })
    await recordMenu(tx, site, { action: 'replaced', before, after: { ...before, items } })
  }
}
