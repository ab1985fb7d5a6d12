import { idIn, storedValue } from '../serialized/stored-value.ts'
import { encodePhp } from '../serialized/encode-php.ts'
import type { PhpValue } from '../serialized/php-value.ts'
import type { MenuItemType } from './menu-item.ts'

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
