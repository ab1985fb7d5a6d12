import type { Post } from '../pages/posts.ts'
import type { LinkSettings } from '../permalinks/link-settings.ts'
import { archiveUrl, type LinkedTerm, postUrl, termUrl } from '../permalinks/urls.ts'
import { storedArray } from '../stored-value.ts'
import { type ItemLink, untitled } from './item-content.ts'
import {
  type ITEM_META_KEYS,
  type ItemMeta,
  itemClasses,
  itemObjectId,
  itemParent,
  itemType,
  type MenuItem,
  type StoredItem,
  storedTexts,
} from './menu-item.ts'

/** By taxonomy and id. */
type LinkedTerms = ReadonlyMap<string, LinkedTerm>

export function linkedTerms(terms: readonly LinkedTerm[]): LinkedTerms {
  return new Map(terms.map((term) => [`${term.taxonomy} ${term.id}`, term]))
}

/** The posts and terms that items link, and what their addresses depend on. */
export type LinkedObjects = {
  readonly links: LinkSettings
  readonly posts: ReadonlyMap<number, Post>
  readonly terms: LinkedTerms
  /** Code of the language in which the menu is shown; null outside of the front end. Only archives depend on it. */
  readonly lang: string | null
}

/**
 * The objects that these items link, which are known from their links.
 * @param others further ones [none]
 */
export function linkedBy(
  links: LinkSettings,
  items: readonly { readonly link: ItemLink }[],
  others?: LinkedObjects,
): LinkedObjects {
  const posts = items.flatMap(({ link }) => (link.type === 'post_type' ? link.post : []))
  const terms = items.flatMap(({ link }) => (link.type === 'taxonomy' ? link.term : []))
  return {
    links,
    posts: new Map([...(others?.posts ?? []), ...posts.map((post) => [post.id, post] as const)]),
    terms: new Map([...(others?.terms ?? []), ...linkedTerms(terms)]),
    lang: null,
  }
}

type LinkTarget = { readonly title: string; readonly url: string; readonly valid: boolean }

/** A stored item together with the object it links (wp_setup_nav_menu_item, nav-menu.php). */
export function setUpItem(item: StoredItem, order: number, objects: LinkedObjects): MenuItem {
  const { row, meta } = item
  const type = itemType(meta)
  const text = (key: (typeof ITEM_META_KEYS)[number]): string => meta.get(key) ?? ''
  const { title, url, valid } = targetOf(item, objects)
  const objectId = itemObjectId(meta)
  return {
    id: row.ID,
    parent: itemParent(meta),
    order,
    status: row.post_status,
    type,
    object: text('_menu_item_object'),
    objectId,
    page: type === 'post_type' && text('_menu_item_object') === 'page' ? objectId : null,
    title: row.post_title || title,
    ownTitle: row.post_title,
    linkedTitle: title,
    url,
    ...storedTexts(item),
    classes: itemClasses(meta),
    valid,
    switcher: switcherIn(meta),
  }
}

/** Only PHP knows which post types and taxonomies a site registers; all are assumed to be registered. */
function targetOf({ meta }: StoredItem, objects: LinkedObjects): LinkTarget {
  const { links, posts, terms, lang } = objects
  const id = itemObjectId(meta)
  const object = meta.get('_menu_item_object') ?? ''
  switch (itemType(meta)) {
    case 'post_type': {
      const post = posts.get(id)
      if (!post) return { title: untitled(id), url: '', valid: false }
      const valid = post.status !== 'trash'
      return { title: post.title || untitled(id), url: postUrl(links, post), valid }
    }
    case 'taxonomy': {
      const term = terms.get(`${object} ${id}`)
      if (!term) return { title: untitled(id), url: '', valid: false }
      return { title: term.name || untitled(id), url: termUrl(links, term), valid: true }
    }
    case 'post_type_archive': {
      const label = object === 'post' ? 'Post Archives' : object
      return { title: label, url: archiveUrl(links, object, lang), valid: true }
    }
    case 'custom':
      return { title: '', url: meta.get('_menu_item_url') ?? '', valid: true }
  }
}

/** Polylang's settings in the meta values of an item; null if there are none. */
export function switcherIn(meta: ItemMeta): MenuItem['switcher'] {
  const settings = storedArray(meta.get('_pll_menu_item'))
  if (settings.size === 0) return null
  return new Map([...settings].map(([key, value]) => [String(key), value]))
}
