import type { ItemLink } from '../../wordpress/nav-menus/new-item.ts'
import { type LinkedObjects, linkedTerms } from '../../wordpress/nav-menus/set-up-item.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'

/** The objects that these items link, which are known from their links, for a visitor. */
export function linkedBy(
  links: LinkSettings,
  items: readonly { readonly link: ItemLink }[],
): LinkedObjects {
  return {
    links,
    posts: new Map(
      items.flatMap(({ link }) => (link.type === 'post_type' ? [[link.post.id, link.post]] : [])),
    ),
    terms: linkedTerms(items.flatMap(({ link }) => (link.type === 'taxonomy' ? [link.term] : []))),
    viewer: { readsPrivate: false, lang: null },
  }
}

/** These objects, and those that the items link. */
export function withLinkedBy(
  { links, posts, terms, viewer }: LinkedObjects,
  items: readonly { readonly link: ItemLink }[],
): LinkedObjects {
  const linked = linkedBy(links, items)
  return {
    links,
    posts: new Map([...posts, ...linked.posts]),
    terms: new Map([...terms, ...linked.terms]),
    viewer,
  }
}
