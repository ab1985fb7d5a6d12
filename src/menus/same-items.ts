import type { Db } from '../db/database.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { type ItemLink, storableItems } from '../wordpress/nav-menus/new-item.ts'
import { linkItems, type StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { SWITCHER_URL, type SwitcherFlag, switcherFlags } from '../wordpress/nav-menus/switcher.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { portableUrl, readSiteAddresses, type SiteAddresses } from './portable-items.ts'
import type { ResolvedItem } from './resolve-tree.ts'

/** Whether a stored menu has these items already, so that no write is needed. */
export async function hasItems(
  db: Db,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
  wanted: readonly ResolvedItem[],
): Promise<boolean> {
  if (stored.items.length !== wanted.length) return false
  const { items } = await linkItems(db, site, links, stored)
  const storable = await storableItems(db, site, wanted)
  // The paths of other sites, of which a network may have thousands, matter only if addresses differ.
  if (isSameTree(NO_ADDRESSES, items, storable)) return true
  return isSameTree(await readSiteAddresses(db, site, links), items, storable)
}

/** With these, addresses are equal only if they are stored alike. */
const NO_ADDRESSES: SiteAddresses = { home: '', others: [] }

/** Whether the items of a menu equal the resolved ones in everything that a menu file contains. */
function isSameTree(
  addresses: SiteAddresses,
  items: readonly MenuItem[],
  resolved: readonly ResolvedItem[],
): boolean {
  if (items.length !== resolved.length) return false
  const indexes = new Map(items.map(({ id }, index) => [id, index]))
  return items.every((item, index) => {
    const wanted = resolved[index]
    return (
      wanted !== undefined &&
      item.status === 'publish' &&
      (item.parent === 0 ? -1 : indexes.get(item.parent)) === wanted.parent &&
      isSameLink(addresses, item, wanted.link) &&
      (item.ownTitle === wanted.title || switcherFlags(item) !== undefined) &&
      item.target === wanted.target &&
      // Extra spaces make empty classes, which have no effect.
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

/** In a menu file, `http://example.com/shop` and `https://example.com/shop/` are the same path of the site. */
function isSameUrl(addresses: SiteAddresses, url: string, other: string): boolean {
  if (url === other) return true
  const path = portableUrl(addresses, url)
  return path !== undefined && path === portableUrl(addresses, other)
}

/** Only an item with the switcher's URL has flags. A switcher that is sent without them keeps its own. */
function isSameSwitcher(item: MenuItem, flags: readonly SwitcherFlag[] | undefined): boolean {
  if (item.url !== SWITCHER_URL) return true
  const own = switcherFlags(item)
  return own !== undefined && (flags === undefined || own.join() === flags.join())
}
