import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import type { ItemLink } from '../wordpress/nav-menus/new-item.ts'
import { DEFAULT_SWITCHER_FLAGS, SWITCHER_URL, type SwitcherFlag, switcherFlags } from '../wordpress/nav-menus/switcher.ts'
import { type SiteAddresses, portableUrl } from './portable-url.ts'
import type { ResolvedItem } from './resolve-tree.ts'

/** Whether the items of a menu are what these would become, as far as a file can say it: then nothing needs to be written. */
export function isSameTree(
  addresses: SiteAddresses,
  items: readonly MenuItem[],
  resolved: readonly ResolvedItem[],
): boolean {
  if (items.length !== resolved.length) return false
  const places = new Map(items.map(({ id }, index) => [id, index]))
  return items.every((item, index) => {
    const wanted = resolved[index]
    return (
      wanted !== undefined &&
      item.status === 'publish' &&
      (item.parent === 0 ? -1 : places.get(item.parent)) === wanted.parent &&
      isSameLink(addresses, item, wanted.link) &&
      item.ownTitle === wanted.title &&
      item.target === wanted.target &&
      // A space too many makes an empty class, which says nothing.
      item.classes.filter(Boolean).join(' ') === wanted.classes.filter(Boolean).join(' ') &&
      item.xfn === wanted.xfn &&
      item.attrTitle === wanted.attrTitle &&
      item.storedDescription === wanted.description
    )
  })
}

function isSameLink(addresses: SiteAddresses, item: MenuItem, link: ItemLink): boolean {
  if (item.type !== link.type) return false
  switch (link.type) {
    case 'post_type':
      return item.objectId === link.post.id
    case 'taxonomy':
      return item.objectId === link.term.id && item.object === link.term.taxonomy
    case 'post_type_archive':
      return item.object === link.postType
    case 'custom':
      return isSameUrl(addresses, item.url, link.url) && isSameSwitcher(item, link.switcher)
  }
}

/** In a file, `http://example.com/shop` and `https://example.com/shop/` are one path of the site. */
function isSameUrl(addresses: SiteAddresses, url: string, other: string): boolean {
  if (url === other) return true
  const path = portableUrl(addresses, url)
  return path !== undefined && path === portableUrl(addresses, other)
}

/** Only an item that is a switcher by its address has flags. */
function isSameSwitcher(
  item: MenuItem,
  flags: readonly SwitcherFlag[] = DEFAULT_SWITCHER_FLAGS,
): boolean {
  if (item.url !== SWITCHER_URL) return true
  return switcherFlags(item)?.join() === flags.join()
}
