import type { Db } from '../../db/database.ts'
import { characterReference, storableTexts } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'
import type { Post } from '../pages/posts.ts'
import type { LinkedTerm } from '../permalinks/urls.ts'
import {
  ITEM_META_KEYS,
  type ItemMeta,
  type ItemTexts,
  itemType,
  type MenuItemType,
  PARENT_META_KEY,
  type SavedItem,
  type StoredItem,
  storedClasses,
  storedTexts,
} from './menu-item.ts'
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

/** What an item is to have; its texts are sanitized already. */
export type ItemContent = ItemTexts & {
  readonly link: ItemLink
  /** As stored; '' if the item shows the title of the linked object. */
  readonly title: string
}

/** What changes of an item; absent fields stay. */
type ItemChanges = Partial<ItemContent> & {
  /** Id of the parent item, 0 for the top. */
  readonly parent?: number
}

const SWITCHER_META_KEY = '_pll_menu_item'

/** The meta values of an item without content, in WordPress's order. */
const BLANK_META: ItemMeta = new Map(
  ITEM_META_KEYS.filter((key) => key !== SWITCHER_META_KEY).map((key) => [key, '']),
)

/** An item that gets all of its content by `changedItem`. */
export const blankItem = (id: number): StoredItem => ({
  row: {
    ID: id,
    menu_order: 0,
    post_status: 'publish',
    post_title: '',
    post_excerpt: '',
    post_content: '',
  },
  meta: BLANK_META,
})

/** The item with these changes, which `storableItems` returned. */
export function changedItem(item: StoredItem, changes: ItemChanges): SavedItem {
  if (Object.keys(changes).length === 0) return item
  const { row, meta } = item
  const { link, parent, classes } = changes
  // An item that only moves keeps its post, even if WordPress would write it in another form.
  const isMoved = Object.keys(changes).every((name) => name === 'parent')
  const title = changes.title ?? row.post_title
  const description = changes.description ?? storedTexts(item).description
  const newMeta = new Map(meta)
  const set = (key: string, value: string | undefined): void => {
    if (value !== undefined) newMeta.set(key, value)
  }
  if (link) newMeta.delete(SWITCHER_META_KEY)
  for (const [key, value] of link ? linkMeta(link, row.ID) : []) set(key, value)
  set(PARENT_META_KEY, parent === undefined ? undefined : String(parent))
  set('_menu_item_target', changes.target)
  set('_menu_item_classes', classes === undefined ? undefined : storedClasses(classes))
  set('_menu_item_xfn', changes.xfn)
  return {
    ...item,
    row: isMoved
      ? row
      : {
          ...row,
          post_title: title,
          post_excerpt: changes.attr_title ?? row.post_excerpt,
          post_content: itemContent(itemType(newMeta), { title, description }),
        },
    meta: newMeta,
    postParent: link && linkedParent(link),
  }
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
function linkedParent(link: ItemLink): number | undefined {
  if (link.type === 'post_type') return link.post.parent
  return link.type === 'taxonomy' ? link.term.parent : undefined
}

/** The content of an item is its description. If title and description are empty, a space keeps the post from being empty (wp_update_nav_menu_item). */
function itemContent(
  type: MenuItemType,
  { title, description }: Pick<ItemContent, 'title' | 'description'>,
): string {
  return type !== 'custom' && title === '' && description === '' ? ' ' : description
}

type MetaEntry = readonly [key: string, value: string]

/** The meta values that describe an item's link, Polylang's last. */
function linkMeta(link: ItemLink, itemId: number): MetaEntry[] {
  const { id, name } = linkedObject(link, itemId)
  const url = link.type === 'custom' ? link.url : ''
  return [
    ['_menu_item_type', link.type],
    ['_menu_item_object_id', String(id)],
    ['_menu_item_object', name],
    ['_menu_item_url', url],
    ...(link.type === 'custom' && url === SWITCHER_URL
      ? [[SWITCHER_META_KEY, switcherMeta(link.switcher, link.kept)] as const]
      : []),
  ]
}

/** A custom link stores the item itself as its object; an archive stores none. */
export function linkedObject(link: ItemLink, itemId: number): { id: number; name: string } {
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

/** The text fields that are stored in the posts table, with their columns. */
const TEXT_COLUMNS = [
  ['title', 'post_title'],
  ['attr_title', 'post_excerpt'],
  ['description', 'post_content'],
] as const

/**
 * Items that the tables of the site can store. In utf8mb3 tables four-byte characters of texts become references, as WordPress does
 * (wp_encode_emoji, formatting.php), and those of URLs are percent-encoded, where WordPress would lose them.
 */
export async function storableItems<T extends Partial<ItemContent>>(
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
