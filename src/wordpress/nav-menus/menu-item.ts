import { encodePhp, type PhpValue } from '#php-serialized'
import { idIn, storedValue } from '../stored-value.ts'
import type { Menu } from './nav-menu.ts'

/** The kind of object that a menu item links. */
export type MenuItemType = 'post_type' | 'taxonomy' | 'post_type_archive' | 'custom'

/** The texts of an item besides its title, with the names that they have in WordPress, in the API and in menu files. */
export const ITEM_TEXTS = ['target', 'classes', 'xfn', 'attr_title', 'description'] as const

export type ItemTextName = (typeof ITEM_TEXTS)[number]

/** The texts of an item as they are stored. */
export type ItemTexts = {
  /** '' or `_blank`. */
  readonly target: string
  /** Separated by spaces. */
  readonly classes: string
  /** Link relations, separated by spaces. */
  readonly xfn: string
  /** The link's `title` attribute. */
  readonly attr_title: string
  /** HTML; '' if there is none. */
  readonly description: string
}

/** A value for each text of an item. */
export const eachText = <T>(
  valueFor: (name: ItemTextName) => T,
): { readonly [Name in ItemTextName]: T } =>
  Object.fromEntries(ITEM_TEXTS.map((name) => [name, valueFor(name)])) as Record<ItemTextName, T>

/** A menu item together with the object it links, as WordPress sets it up (wp_setup_nav_menu_item, nav-menu.php). */
export type MenuItem = {
  /** Post id of the item. */
  readonly id: number
  /** Post id of the parent item, 0 at the top. The parent may be missing from the menu. */
  readonly parent: number
  /** Position among the items, from 1 and without gaps. */
  readonly order: number
  /** `publish`, or `draft` for an item that only the menu screen shows. */
  readonly status: string
  readonly type: MenuItemType
  /** Post type or taxonomy of the linked object; `custom` for a custom link. */
  readonly object: string
  /** Post or term id of the linked object; a custom link stores its own id. */
  readonly objectId: number
  /** Id of the linked page; null for all other items. */
  readonly page: number | null
  /** The item's own title, else the title of the linked object, as stored. */
  readonly title: string
  /** The item's own title; '' if it shows the title of the linked object. */
  readonly ownTitle: string
  /** What an item without a title of its own shows: the title of the linked object, or `#12 (no title)` for a missing one. '' for a custom link. */
  readonly linkedTitle: string
  /** '' if the linked object does not exist. */
  readonly url: string
  /** As stored; a single empty class if there is none. */
  readonly classes: readonly string[]
  /** False if the linked object does not exist or is in the trash: visitors don't see the item. */
  readonly valid: boolean
  /** Polylang's settings if the item is a language switcher (`_pll_menu_item`), else null. */
  readonly switcher: ReadonlyMap<string, PhpValue> | null
} & Omit<ItemTexts, 'classes'>

/** The columns of an item's post that are read. */
export type MenuItemRow = {
  readonly ID: number
  readonly menu_order: number
  readonly post_status: string
  readonly post_title: string
  readonly post_excerpt: string
  readonly post_content: string
}

export const ITEM_COLUMNS = ['p.ID', 'p.menu_order', 'p.post_status'] as const

/** Those of its texts. WordPress limits none of them. */
export const ITEM_TEXT_COLUMNS = ['post_title', 'post_excerpt', 'post_content'] as const

/** The meta keys of an item, in the order in which WordPress writes them. The last one is Polylang's. */
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

/** The key of the id of an item's parent. */
export const PARENT_META_KEY = '_menu_item_menu_item_parent'

/** Meta key to value; of duplicate rows the oldest. */
export type ItemMeta = ReadonlyMap<string, string>

/** A meta value that WordPress does not know, such as that of a plugin. */
export type OtherMeta = readonly [key: string, value: string | null]

export type StoredItem = {
  readonly row: MenuItemRow
  readonly meta: ItemMeta
  /** In the order in which they were stored. Only if they were read, see `readWholeMenu`. */
  readonly others?: readonly OtherMeta[]
}

/** An item that a menu is to have, as it is stored then. An item without an id yet has one below zero, also where other items name it as their parent. */
export type SavedItem = StoredItem & {
  /** `post_parent`, the parent of the linked page or term, if that is known. It is unrelated to the item's parent in the menu. */
  readonly postParent?: number | undefined
}

/** Keys besides `ITEM_META_KEYS` that WordPress writes itself. They say nothing about an item. */
export const PASSING_META_KEYS = [
  '_menu_item_orphaned',
  '_wp_old_date',
  '_edit_lock',
  '_edit_last',
] as const

/** The kind of object that an item links. An unknown kind is a custom link. */
export function itemType(meta: ItemMeta): MenuItemType {
  const type = meta.get('_menu_item_type')
  return type === 'post_type' || type === 'taxonomy' || type === 'post_type_archive'
    ? type
    : 'custom'
}

/** The texts of an item. A description of a single space, with which WordPress keeps a post from being empty, is none (see `itemContent`). */
export function storedTexts({
  row,
  meta,
}: {
  readonly row: Pick<MenuItemRow, 'post_excerpt' | 'post_content'>
  readonly meta: ItemMeta
}): ItemTexts {
  return {
    target: meta.get('_menu_item_target') ?? '',
    classes: itemClasses(meta).join(' '),
    xfn: meta.get('_menu_item_xfn') ?? '',
    attr_title: row.post_excerpt,
    description: row.post_content === ' ' ? '' : row.post_content,
  }
}

/** Id of the object that an item links. */
export function itemObjectId(meta: ItemMeta): number {
  return idIn(meta.get('_menu_item_object_id'))
}

/** Id of the parent item, 0 at the top. */
export function itemParent(meta: ItemMeta): number {
  return parentIn(meta.get(PARENT_META_KEY) ?? '')
}

/** Id of the parent in a meta value. WordPress compares the text with ids and does not cast it (Walker::walk, class-wp-walker.php). */
export const parentIn = (text: string): number => (/^[1-9]\d*$/.test(text) ? idIn(text) : 0)

/** The stored classes of nearly every item: a single empty class. */
const NO_CLASSES = 'a:1:{i:0;s:0:"";}'

/** Stored classes longer than this, in bytes, are ignored (about a thousand classes), which bounds the time to read an item. */
const MAX_CLASSES_BYTES = 20_000

/** An item's classes. A value that is not a list is one class, as PHP casts it, and may contain spaces. */
export function itemClasses(meta: ItemMeta): string[] {
  const text = meta.get('_menu_item_classes') ?? ''
  if (text === NO_CLASSES || text.length > MAX_CLASSES_BYTES) return ['']
  const value = storedValue(text)
  return value instanceof Map ? [...value.values()].map(printedText) : [printedText(value)]
}

/** Classes without empty ones, which extra spaces make and which have no effect. */
export const withoutEmptyClasses = (classes: string): string =>
  classes.split(' ').filter(Boolean).join(' ')

/** A string or number as PHP prints it; '' for other values. */
function printedText(value: PhpValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The value of `_menu_item_classes`. */
export function storedClasses(classes: string): string {
  return classes === '' ? NO_CLASSES : encodePhp(classes.split(' '))
}

/**
 * The items that visitors see, renumbered from 1 (wp_get_nav_menu_items, nav-menu.php). Drafts and items without a valid link are
 * hidden; their children are shown without a parent. A menu with count 0 shows no items.
 */
export function visibleItems({ count }: Menu, items: readonly MenuItem[]): MenuItem[] {
  if (count === 0) return []
  return items
    .filter(({ status, valid }) => status === 'publish' && valid)
    .map((item, index) => ({ ...item, order: index + 1 }))
}
