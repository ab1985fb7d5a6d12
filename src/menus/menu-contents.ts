import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import { readMenu } from '../wordpress/nav-menus/read-menu.ts'
import { setItemOrder } from '../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { ItemHierarchy } from './item-hierarchy.ts'

/** The items of a menu that is held, and how they stand. */
export class MenuContents {
  readonly hierarchy: ItemHierarchy
  readonly #items: Map<number, MenuItem>

  constructor(items: readonly MenuItem[]) {
    this.hierarchy = new ItemHierarchy(items)
    this.#items = new Map(items.map((item) => [item.id, item]))
  }

  /**
   * The item with this id.
   * @throws AppError `item_not_found`
   */
  get(id: number): MenuItem {
    const item = this.#items.get(id)
    if (item) return item
    throw new AppError('item_not_found', `This menu has no item ${id}.`, { id })
  }

  /** @throws AppError `item_not_found` for what is neither an item of the menu nor its top, 0 */
  assertParent(id: number): void {
    if (id !== 0) this.get(id)
  }

  /** Enters items that were added at the end of a level, parents before their children. */
  add(items: readonly MenuItem[]): void {
    for (const item of items) {
      this.#items.set(item.id, item)
      this.hierarchy.append(item.id, item.parent)
    }
  }

  /** Where an item stands in the menu, from 1. */
  orderOf(id: number): number {
    return this.hierarchy.branch(0).indexOf(id) + 1
  }

  /** How many items stand up to the end of a level. */
  countUpToEndOf(parent: number): number {
    return (parent === 0 ? 0 : this.orderOf(parent) - 1) + this.hierarchy.branch(parent).length
  }

  /** How many items there are. */
  get total(): number {
    return this.hierarchy.branch(0).length
  }

  /** Numbers the items from 1 as they stand now; those before the first that is out of place are left alone. */
  async saveOrder(tx: Tx, site: Site): Promise<void> {
    const ids = this.hierarchy.branch(0)
    const first = ids.findIndex((id, index) => this.#items.get(id)?.storedOrder !== index + 1)
    if (first >= 0) await setItemOrder(tx, site, ids, first)
  }
}

/** Reads the items of a menu that the caller holds. */
export async function readContents(
  tx: Tx,
  site: Site,
  links: LinkSettings,
  menu: Menu,
): Promise<MenuContents> {
  const found = await readMenu(tx, site, links, menu.id)
  return new MenuContents(found?.items ?? [])
}
