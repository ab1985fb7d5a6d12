import type { Db } from '../db/database.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { readMenu } from '../wordpress/nav-menus/read-menu.ts'
import { switcherFlags } from '../wordpress/nav-menus/switcher.ts'
import { listOtherPaths } from '../wordpress/network/find-sites.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import { findObjectRefs } from './find-refs.ts'
import { type SiteAddresses, portableUrl } from './portable-url.ts'
import type { ItemFields, ItemInput } from './item-tree.ts'

/** An item that is not among the portable ones, and why. */
export type LeftOutItem = {
  readonly id: number
  /** As stored. */
  readonly title: string
  /** A draft of an item; what it links is gone or in the trash; what it links has no path, or shares it. */
  readonly reason: 'draft' | 'gone' | 'unnamed'
}

export type PortableItems = {
  /** As `resolveTree` takes them, on this site or another. */
  readonly items: readonly ItemInput[]
  readonly leftOut: readonly LeftOutItem[]
}

/**
 * The items of a menu by names that mean the same on another site. Left out is what visitors don't see, and what has no name there: a
 * page that was never published has no path. What stood under such an item stands where visitors see it, at the top.
 */
export async function readPortableItems(
  db: Db,
  site: Site,
  links: LinkSettings,
  menuId: number,
): Promise<PortableItems> {
  const items = (await readMenu(db, site, links, menuId))?.items ?? []
  const refs = await findObjectRefs(db, site, links.languages, items)
  const { home } = links
  const addresses = { home, others: await listOtherPaths(db, site, home) }
  const leftOut: LeftOutItem[] = []
  const kept = new Map<number, { readonly item: MenuItem; readonly fields: ItemFields }>()
  for (const item of items) {
    const { id, title } = item
    const object = refs.get(item)
    const link = item.type === 'custom' ? customLink(item, addresses) : object && { object }
    if (item.status !== 'publish') leftOut.push({ id, title, reason: 'draft' })
    else if (!item.valid) leftOut.push({ id, title, reason: 'gone' })
    else if (!link) leftOut.push({ id, title, reason: 'unnamed' })
    else kept.set(id, { item, fields: { ...link, ...textsOf(item) } })
  }
  const arrangement = new ItemHierarchy([...kept.values()].map(({ item }) => item))
  return { items: flattenHierarchy(arrangement, (id) => kept.get(id)?.fields ?? {}), leftOut }
}

/** The address as a path of the site where it is one. A path that is stored as such is the host's, and stays one. */
function customLink(item: MenuItem, addresses: SiteAddresses): ItemFields {
  const { url } = item
  const flags = switcherFlags(item)
  if (flags) return { object: { kind: 'switcher', flags } }
  const path = portableUrl(addresses, url)
  if (path !== undefined) return { url: path }
  return url === '' || /^\/(?!\/)/.test(url) ? { object: { kind: 'address', url } } : { url }
}

/** The texts that say something; a link without a title has an empty one, for it would be called by its address. */
function textsOf(item: MenuItem): ItemFields {
  const classes = item.classes.filter(Boolean).join(' ')
  return {
    ...(item.ownTitle !== '' || item.type === 'custom' ? { title: item.ownTitle } : {}),
    ...(item.target === '' ? {} : { target: item.target }),
    ...(classes === '' ? {} : { classes }),
    ...(item.xfn === '' ? {} : { xfn: item.xfn }),
    ...(item.attrTitle === '' ? {} : { attrTitle: item.attrTitle }),
    ...(item.storedDescription === '' ? {} : { description: item.storedDescription }),
  }
}

/** The items as a tree that is sent, parents before their children. */
function flattenHierarchy(
  arrangement: ItemHierarchy,
  fieldsOf: (id: number) => ItemFields,
): ItemInput[] {
  const items: ItemInput[] = []
  const open: { id: number; at: string; parent: number }[] = []
  const push = (id: number, prefix: string, parent: number): void => {
    for (const [index, below] of [...arrangement.level(id).entries()].reverse())
      open.push({ id: below, at: `${prefix}${index}`, parent })
  }
  push(0, '', -1)
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, at, parent } = next
    items.push({ at, parent, ...fieldsOf(id) })
    push(id, `${at}.`, items.length - 1)
  }
  return items
}
