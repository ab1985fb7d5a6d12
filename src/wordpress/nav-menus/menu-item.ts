import type { PhpValue } from '../serialized/php-value.ts'

/** What a menu item links. */
export type MenuItemType = 'post_type' | 'taxonomy' | 'post_type_archive' | 'custom'

/** An item of a menu with what it links, as WordPress sets it up (wp_setup_nav_menu_item, nav-menu.php). */
export type MenuItem = {
  /** Post id of the item. */
  readonly id: number
  /** Post id of the parent item, 0 at the top. It may be of no item of the menu. */
  readonly parent: number
  /** Place among the items, from 1 and without gaps. */
  readonly order: number
  /** `menu_order`, as stored: may have gaps and ties. */
  readonly storedOrder: number
  /** `publish`, or `draft` for an item that only the menu screen shows. */
  readonly status: string
  readonly type: MenuItemType
  /** Post type or taxonomy of what is linked; `custom`. */
  readonly object: string
  /** Post or term id of what is linked; of a custom link, its own. */
  readonly objectId: number
  /** Id of the linked page; null for all other items. */
  readonly page: number | null
  /** The item's own title, else that of what it links, as stored. */
  readonly title: string
  /** The item's own title; '' where it follows what it links. */
  readonly ownTitle: string
  /** '' where what it links is gone. */
  readonly url: string
  /** '' or `_blank`. */
  readonly target: string
  /** As stored; one empty class where there is none. */
  readonly classes: readonly string[]
  /** Link relations, separated by spaces. */
  readonly xfn: string
  /** The link's `title` attribute. */
  readonly attrTitle: string
  /** Plain text of 200 words at most. */
  readonly description: string
  /** All of it as stored, HTML; '' where there is none. */
  readonly storedDescription: string
  /** False where what it links is gone or in the trash: visitors don't see the item. */
  readonly valid: boolean
  /** Polylang's settings where the item stands for the language switcher (`_pll_menu_item`), else null. */
  readonly switcher: ReadonlyMap<string, PhpValue> | null
}
