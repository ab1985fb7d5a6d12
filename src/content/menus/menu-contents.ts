import { errorOf } from '../../host/errors.ts'
import {
  itemParent,
  PARENT_META_KEY,
  type SavedItem,
  type StoredItem,
} from '../../wordpress/nav-menus/menu-item.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import { numbered } from './save-menu.ts'

/** The items of a locked menu and their hierarchy. */
export class MenuContents {
  readonly hierarchy: ItemHierarchy
  readonly #stored: Map<number, SavedItem>

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

  /** Adds items at the end of a level, parents before their children. */
  add(items: readonly SavedItem[]): void {
    for (const item of items) {
      this.set(item)
      this.hierarchy.append(item.row.ID, Number(item.meta.get(PARENT_META_KEY)))
    }
  }

  /** Replaces an item, but for its position. */
  set(item: SavedItem): void {
    this.#stored.set(item.row.ID, item)
  }

  /** The position of an item in the menu, from 1. */
  orderOf(id: number): number {
    return this.hierarchy.branch(0).indexOf(id) + 1
  }

  /** The number of items of the menu. */
  get total(): number {
    return this.hierarchy.branch(0).length
  }

  /** The items in their order. */
  items(): SavedItem[] {
    const items = this.hierarchy.branch(0).flatMap((id) => this.#stored.get(id) ?? [])
    return items.map(numbered)
  }
}
