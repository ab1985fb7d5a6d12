import { encodePhp } from '../serialized/encode-php.ts'
import type { PhpValue } from '../serialized/php-value.ts'
import { idIn, storedValue } from '../serialized/stored-value.ts'
import type { Menu } from './nav-menu.ts'

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

/** An item as it is stored: its post and the meta values that WordPress reads of it. */
export type MenuItemRow = {
  readonly ID: number
  readonly menu_order: number
  readonly post_status: string
  readonly post_title: string
  readonly post_excerpt: string
  readonly post_content: string
}

export const ITEM_COLUMNS = [
  'p.ID',
  'p.menu_order',
  'p.post_status',
  'p.post_title',
  'p.post_excerpt',
  'p.post_content',
] as const

/** The meta keys of an item, in the order in which WordPress writes them; the last is Polylang's. */
export const ITEM_META_KEYS = [
  '_menu_item_type',
  '_menu_item_menu_item_parent',
  '_menu_item_object_id',
  '_menu_item_object',
  '_menu_item_target',
  '_menu_item_classes',
  '_menu_item_xfn',
  '_menu_item_url',
  '_pll_menu_item',
] as const

/** Key to value, of duplicates the oldest. */
export type ItemMeta = ReadonlyMap<string, string>

export type StoredItem = { readonly row: MenuItemRow; readonly meta: ItemMeta }

/** What an item links; an unknown kind is a custom link. */
export function itemType(meta: ItemMeta): MenuItemType {
  const type = meta.get('_menu_item_type')
  return type === 'post_type' || type === 'taxonomy' || type === 'post_type_archive'
    ? type
    : 'custom'
}

/** Id of what an item links. */
export function itemObjectId(meta: ItemMeta): number {
  return idIn(meta.get('_menu_item_object_id'))
}

/** The classes of nearly every item: a single empty one. */
const NO_CLASSES = 'a:1:{i:0;s:0:"";}'

/** Bytes of stored classes beyond which none are read: some thousand classes, so that no item takes long to read. */
const MAX_CLASSES_BYTES = 20_000

/** An item's classes. What is no list is one class, as PHP casts it; it may hold spaces. */
export function itemClasses(meta: ItemMeta): string[] {
  const text = meta.get('_menu_item_classes') ?? ''
  if (text === NO_CLASSES || text.length > MAX_CLASSES_BYTES) return ['']
  const value = storedValue(text)
  return value instanceof Map ? [...value.values()].map(printedText) : [printedText(value)]
}

/** A value as PHP prints it, where it is printed. */
function printedText(value: PhpValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** `_menu_item_classes` for these classes. */
export function storedClasses(classes: readonly string[]): string {
  return classes.join() === '' ? NO_CLASSES : encodePhp(classes)
}

/**
 * The items that visitors see, with their places among each other: none of a menu whose count is 0, none that is a draft or links
 * nothing (wp_get_nav_menu_items, nav-menu.php). The children of those stay and lose their parent.
 */
export function visibleItems({ count }: Menu, items: readonly MenuItem[]): MenuItem[] {
  if (count === 0) return []
  return items
    .filter(({ status, valid }) => status === 'publish' && valid)
    .map((item, index) => ({ ...item, order: index + 1 }))
}
