import type { Db } from '../../db/database.ts'
import { characterReference, storableTexts } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'
import type { Post } from '../pages/posts.ts'
import type { LinkedTerm } from '../permalinks/urls.ts'
import { type MenuItemType, storedClasses } from './menu-item.ts'
import { SWITCHER_URL, type SwitcherFlag, type SwitcherSettings, switcherMeta } from './switcher.ts'

/** The link of an item that is to be written. */
export type ItemLink =
  | { readonly type: 'post_type'; readonly post: Post }
  | { readonly type: 'taxonomy'; readonly term: LinkedTerm }
  | { readonly type: 'post_type_archive'; readonly postType: string }
  | {
      readonly type: 'custom'
      readonly url: string
      /** The flags that are set if the item is Polylang's language switcher; by default Polylang's defaults. */
      readonly switcher?: readonly SwitcherFlag[]
      /** The settings of the switcher that this one replaces. */
      readonly kept?: SwitcherSettings | undefined
    }

/** An item to be written; its texts are sanitized already. */
export type NewMenuItem = {
  readonly link: ItemLink
  /** As stored; '' if the item shows the title of the linked object. */
  readonly title: string
  readonly target: string
  readonly classes: readonly string[]
  /** Link relations, separated by spaces. */
  readonly xfn: string
  /** The link's `title` attribute. */
  readonly attrTitle: string
  /** As stored, HTML. */
  readonly description: string
  /** Index of the parent in the list that is written; -1 at the top. */
  readonly parent: number
}

/** The title, as stored, that an item without its own title shows. Undefined for a custom link, and for an archive, whose title only PHP knows. */
export function linkedTitle(link: ItemLink): string | undefined {
  if (link.type === 'post_type') return link.post.title || untitled(link.post.id)
  return link.type === 'taxonomy' ? link.term.name || untitled(link.term.id) : undefined
}

/** The title that WordPress gives to an untitled page or term (wp_setup_nav_menu_item, nav-menu.php). */
export function untitled(id: number): string {
  return `#${id} (no title)`
}

/** Id of the parent of the linked page or term, which WordPress stores with the item. It is unrelated to the item's parent in the menu. */
export function linkedParent(link: ItemLink): number | undefined {
  if (link.type === 'post_type') return link.post.parent
  return link.type === 'taxonomy' ? link.term.parent : undefined
}

/** The content of an item is its description. If title and description are empty, a space keeps the post from being empty (wp_update_nav_menu_item). */
export function itemContent(
  type: MenuItemType,
  { title, description }: Pick<NewMenuItem, 'title' | 'description'>,
): string {
  return type !== 'custom' && title === '' && description === '' ? ' ' : description
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
    ['_menu_item_classes', storedClasses(item.classes)],
    ['_menu_item_xfn', item.xfn],
    url,
    ...more,
  ]
}

/** The meta values that describe an item's link, Polylang's last. */
export function linkMeta(
  link: ItemLink,
  itemId: number,
): [type: MetaEntry, objectId: MetaEntry, object: MetaEntry, url: MetaEntry, ...MetaEntry[]] {
  const { id, name } = linkedObject(link, itemId)
  const url = link.type === 'custom' ? link.url : ''
  return [
    ['_menu_item_type', link.type],
    ['_menu_item_object_id', String(id)],
    ['_menu_item_object', name],
    ['_menu_item_url', url],
    ...(link.type === 'custom' && url === SWITCHER_URL
      ? [['_pll_menu_item', switcherMeta(link.switcher, link.kept)] as const]
      : []),
  ]
}

/** A custom link stores the item itself as its object; an archive stores none. */
function linkedObject(link: ItemLink, itemId: number): { id: number; name: string } {
  switch (link.type) {
    case 'post_type':
      return { id: link.post.id, name: link.post.type }
    case 'taxonomy':
      return { id: link.term.id, name: link.term.taxonomy }
    case 'post_type_archive':
      return { id: 0, name: link.postType }
    case 'custom':
      return { id: itemId, name: 'custom' }
  }
}

/** The fields of an item that may contain any character. */
type ItemTexts = {
  readonly link?: ItemLink
  readonly title?: string
  readonly attrTitle?: string
  readonly description?: string
}

/** The text fields that are stored in the posts table, with their columns. */
const TEXT_COLUMNS = [
  ['title', 'post_title'],
  ['attrTitle', 'post_excerpt'],
  ['description', 'post_content'],
] as const

/**
 * Items that the tables of the site can store. In utf8mb3 tables four-byte characters of texts become references, as WordPress does
 * (wp_encode_emoji, formatting.php), and those of URLs are percent-encoded, where WordPress would lose them.
 */
export async function storableItems<T extends ItemTexts>(
  db: Db,
  { tables }: Site,
  items: readonly T[],
): Promise<readonly T[]> {
  let storable = items
  for (const [field, column] of TEXT_COLUMNS) {
    const texts = items.map((item) => item[field] ?? '')
    const target = { table: tables.posts, column }
    const stored = await storableTexts(db, target, texts, characterReference)
    if (stored === texts) continue
    storable = storable.map((item, index) =>
      item[field] === undefined ? item : { ...item, [field]: stored[index] },
    )
  }
  const urls = items.map(({ link }) => (link?.type === 'custom' ? link.url : ''))
  const target = { table: tables.postmeta, column: 'meta_value' }
  const stored = await storableTexts(db, target, urls, encodeURIComponent)
  if (stored === urls) return storable
  return storable.map((item, index) =>
    item.link?.type === 'custom' ? { ...item, link: { ...item.link, url: stored[index] } } : item,
  )
}
