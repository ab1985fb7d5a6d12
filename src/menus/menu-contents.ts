import type { Tx } from '../db/transaction.ts'
import { DomainError } from '../errors.ts'
import type { MenuItem, StoredItem } from '../wordpress/nav-menus/menu-item.ts'
import { linkItems, type StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { setItemOrder } from '../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import type { WrittenItem } from './write-items.ts'

/** The items of a locked menu and their hierarchy. */
export class MenuContents {
  readonly hierarchy: ItemHierarchy
  readonly #items: Map<number, MenuItem>
  readonly #stored: Map<number, StoredItem>

  /**
   * @param items in their stored order
   * @param stored the same items as stored
   */
  constructor(items: readonly MenuItem[], stored: readonly StoredItem[]) {
    this.hierarchy = new ItemHierarchy(items)
    this.#items = new Map(items.map((item) => [item.id, item]))
    this.#stored = new Map(stored.map((item) => [item.row.ID, item]))
  }

  /**
   * The item with this id.
   * @throws DomainError `item_not_found`
   */
  get(id: number): MenuItem {
    const item = this.#items.get(id)
    if (item) return item
    throw new DomainError('item_not_found', { id })
  }

  /** @throws DomainError `item_not_found` unless the id is 0, the top level, or of an item of the menu */
  assertParent(id: number): void {
    if (id !== 0) this.get(id)
  }

  /** Adds items that were inserted at the end of a level, parents before their children. */
  add(items: readonly WrittenItem[]): void {
    for (const item of items) {
      this.#items.set(item.id, item)
      this.#stored.set(item.id, item.stored)
      this.hierarchy.append(item.id, item.parent)
    }
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

  /** Stores the current order, numbered from 1. Items before the first wrong number are not written. */
  async saveOrder(tx: Tx, site: Site): Promise<void> {
    const ids = this.hierarchy.branch(0)
    const first = ids.findIndex((id, index) => this.#items.get(id)?.storedOrder !== index + 1)
    if (first >= 0) await setItemOrder(tx, site, ids, first)
  }

  /** The items as they are stored after `saveOrder`. */
  storedItems(): StoredItem[] {
    return this.hierarchy.branch(0).flatMap((id, index) => {
      const item = this.#stored.get(id)
      return item ? [{ ...item, row: { ...item.row, menu_order: index + 1 } }] : []
    })
  }
}

/** The items of a menu that the caller has locked, with the objects they link. */
export async function readContents(
  tx: Tx,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
): Promise<MenuContents> {
  const { items } = await linkItems(tx, site, links, stored)
  return new MenuContents(items, stored.items)
}
