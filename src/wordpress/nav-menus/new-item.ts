import { decodeName } from '../formatting/decode-name.ts'
import type { Page } from '../pages/post.ts'
import { encodePhp } from '../serialized/encode-php.ts'

/** What an item that is written links: a page, or an address. */
export type ItemLink =
  | { readonly page: Page; readonly url?: undefined }
  | { readonly page?: undefined; readonly url: string }

/** An item to be written, its texts cleaned already. */
export type NewMenuItem = {
  readonly link: ItemLink
  /** As stored, see `ownTitle`. */
  readonly title: string
  readonly target: string
  readonly classes: readonly string[]
  /** Index of the parent in the list that is written; -1 at its top. */
  readonly parent: number
}

/**
 * The title to store: '' where it is that of what the item links, which it then follows. WordPress compares with the stored one
 * (wp_update_nav_menu_item, nav-menu.php); here the one that people read is as good.
 * @param original as stored; undefined for an address, which has none
 */
export function ownTitle(title: string, original: string | undefined): string {
  const isOriginal = original !== undefined && [original, decodeName(original)].includes(title)
  return isOriginal ? '' : title
}

/** The content of an item without a description: a space keeps one without a title from being an empty post (wp_update_nav_menu_item). */
export function itemContent({ page }: ItemLink, title: string): string {
  return page && title === '' ? ' ' : ''
}

export type MetaEntry = readonly [key: string, value: string]

/** All meta values of a new item, in WordPress's order. */
export function itemMeta(item: NewMenuItem, itemId: number, parentId: number): MetaEntry[] {
  const [type, objectId, object, url, ...more] = linkMeta(item.link, itemId)
  return [
    type,
    ['_menu_item_menu_item_parent', String(parentId)],
    objectId,
    object,
    ['_menu_item_target', item.target],
    ['_menu_item_classes', encodePhp(item.classes)],
    ['_menu_item_xfn', ''],
    url,
    ...more,
  ]
}

/** The meta values that say what an item links, Polylang's last; an address has the item itself for its object. */
export function linkMeta(
  { page, url }: ItemLink,
  itemId: number,
): [type: MetaEntry, objectId: MetaEntry, object: MetaEntry, url: MetaEntry, ...MetaEntry[]] {
  return [
    ['_menu_item_type', page ? 'post_type' : 'custom'],
    ['_menu_item_object_id', String(page ? page.id : itemId)],
    ['_menu_item_object', page ? 'page' : 'custom'],
    ['_menu_item_url', url ?? ''],
    ...(url === SWITCHER_URL ? [SWITCHER_META] : []),
  ]
}

/** Polylang's language switcher is an item with this address and this meta, by default so; with the address alone it leads nowhere. */
const SWITCHER_URL = '#pll_switcher'
const SWITCHER_META: MetaEntry = [
  '_pll_menu_item',
  encodePhp({
    hide_if_no_translation: 0,
    hide_current: 0,
    force_home: 0,
    show_flags: 0,
    show_names: 1,
    dropdown: 0,
  }),
]
