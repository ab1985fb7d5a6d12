import type { Db } from '../../db/database.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import { type ItemLink, storableItems } from '../../wordpress/nav-menus/new-item.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { type LinkedObjects, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import {
  SWITCHER_URL,
  type SwitcherFlag,
  switcherFlags,
} from '../../wordpress/nav-menus/switcher.ts'
import type { ItemChanges } from '../../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import { linkedBy } from './linked-objects.ts'
import { matchItems, type RecognizedItem } from './match-items.ts'
import {
  portableUrl,
  readPortableItems,
  readSiteAddresses,
  type SiteAddresses,
} from './portable-items.ts'
import type { ResolvedItem } from './resolve-tree.ts'

/** An item that a menu is to have: one that it has, with what changes, or a new one. */
export type WantedItem = {
  /** Position in the sent tree. */
  readonly at: string
  /** Index of the parent in the list; -1 at the top. */
  readonly parent: number
} & (
  | { readonly kept: MenuItem; readonly changes: ItemChanges }
  | { readonly kept?: undefined; readonly added: ResolvedItem }
)

/** What a menu lacks of a tree. */
export type TreeDifference = {
  readonly items: readonly WantedItem[]
  /** The items of the menu that go. Other items that the tree does not have stay where they are. */
  readonly removed: readonly MenuItem[]
  /** What the items link. */
  readonly objects: LinkedObjects
  /** No write is needed. */
  readonly isSame: boolean
}

/**
 * Compares the items of a menu with a tree that replaces all of them. The tree names no ids; an item that both have keeps its id, and everything
 * that a tree does not contain, such as the values of plugins.
 */
export async function compareItems(
  db: Db,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
  resolved: readonly ResolvedItem[],
): Promise<TreeDifference> {
  const { difference, items } = await compareAsStored(db, site, links, stored, resolved)
  const drafts = items.filter(({ status }) => status !== 'publish')
  if (drafts.length === 0) return difference
  return { ...difference, removed: [...difference.removed, ...drafts], isSame: false }
}

/**
 * Compares the items of a menu with the tree of a menu file. A file says nothing about items that an export leaves out, which stay, and the
 * address of a page of the site is the same in all its forms: `http://example.com/shop` and `https://example.com/shop/`.
 */
export async function compareWithFile(
  db: Db,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
  resolved: readonly ResolvedItem[],
): Promise<TreeDifference> {
  const { difference, items, wanted } = await compareAsStored(db, site, links, stored, resolved)
  if (difference.isSame) return difference
  // The paths of other sites, of which a network may have thousands, and the names of objects matter only if something differs.
  const [addresses, { leftOut }] = await Promise.all([
    readSiteAddresses(db, site, links),
    readPortableItems(db, site, links, stored.menu.id),
  ])
  const isLeftOut = new Set(leftOut.map(({ id }) => id))
  const named = items.filter(({ id }) => !isLeftOut.has(id))
  return { ...compareTrees(named, wanted, addresses), objects: difference.objects }
}

type StoredComparison = {
  readonly difference: TreeDifference
  /** All items of the menu. */
  readonly items: readonly MenuItem[]
  /** The items of the tree as the tables can store them. */
  readonly wanted: readonly ResolvedItem[]
}

/** Compares the published items of a menu with a tree. Addresses are equal only if they are stored alike. */
async function compareAsStored(
  db: Db,
  site: Site,
  links: LinkSettings,
  { items: stored }: StoredMenu,
  resolved: readonly ResolvedItem[],
): Promise<StoredComparison> {
  const wanted = await storableItems(db, site, resolved)
  // Items of the menu that link anything else are not compared with it.
  const objects = linkedBy(links, wanted)
  const items = stored.map((item, index) => setUpItem(item, index + 1, objects))
  const published = items.filter(({ status }) => status === 'publish')
  const difference = { ...compareTrees(published, wanted, NO_ADDRESSES), objects }
  return { difference, items, wanted }
}

/** With these, addresses are equal only if they are stored alike. */
const NO_ADDRESSES: SiteAddresses = { home: '', others: [] }

function compareTrees(
  items: readonly MenuItem[],
  wanted: readonly ResolvedItem[],
  addresses: SiteAddresses,
): Omit<TreeDifference, 'objects'> {
  const stored = flatten(items)
  const found = matchItems(
    stored.map(({ item, parent }) => recognizedItem(addresses, item, parent)),
    wanted.map((one) => recognizedWanted(addresses, one)),
  )
  const matched = new Set(found)
  const compared = wanted.map((one, index): WantedItem => {
    const { at, parent } = one
    const match = stored[found[index] ?? -1]
    return match
      ? { at, parent, kept: match.item, changes: changesOf(addresses, match.item, one) }
      : { at, parent, added: one }
  })
  return {
    items: compared,
    removed: stored.flatMap(({ item }, index) => (matched.has(index) ? [] : [item])),
    isSame:
      stored.length === wanted.length &&
      compared.every(
        (one, index) =>
          found[index] === index &&
          one.parent === stored[index]?.parent &&
          one.kept !== undefined &&
          Object.keys(one.changes).length === 0,
      ),
  }
}

/** The items as visitors see them: parents before their children, each with the index of its parent. */
function flatten(
  items: readonly MenuItem[],
): { readonly item: MenuItem; readonly parent: number }[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const hierarchy = new ItemHierarchy(items)
  const ids = hierarchy.branch(0)
  const parents = new Map<number, number>()
  for (const [index, id] of ids.entries())
    for (const child of hierarchy.level(id)) parents.set(child, index)
  return ids.flatMap((id) => {
    const item = byId.get(id)
    return item ? [{ item, parent: parents.get(id) ?? -1 }] : []
  })
}

function recognizedItem(addresses: SiteAddresses, item: MenuItem, parent: number): RecognizedItem {
  const { type, object, objectId, url, ownTitle, target, xfn, attrTitle, description } = item
  const links = {
    custom: '',
    post_type: objectId,
    taxonomy: `${object} ${objectId}`,
    post_type_archive: object,
  }
  return {
    link: type === 'custom' ? addressKey(addresses, url) : `${type} ${links[type]}`,
    title: ownTitle,
    texts: JSON.stringify([target, classKey(item), xfn, attrTitle, description]),
    parent,
  }
}

function recognizedWanted(addresses: SiteAddresses, item: ResolvedItem): RecognizedItem {
  const { link, title, target, xfn, attrTitle, description, parent } = item
  return {
    link: linkKey(addresses, link),
    title,
    texts: JSON.stringify([target, classKey(item), xfn, attrTitle, description]),
    parent,
  }
}

function linkKey(addresses: SiteAddresses, link: ItemLink): string {
  switch (link.type) {
    case 'post_type':
      return `${link.type} ${link.post.id}`
    case 'taxonomy':
      return `${link.type} ${link.term.taxonomy} ${link.term.id}`
    case 'post_type_archive':
      return `${link.type} ${link.postType}`
    case 'custom':
      return addressKey(addresses, link.url)
  }
}

/** A path of the site begins with a slash in all its forms; an address that is stored as a path is another one. */
function addressKey(addresses: SiteAddresses, url: string): string {
  const path = portableUrl(addresses, url)
  return path === undefined ? `custom ${url}` : `path ${path}`
}

/** Extra spaces make empty classes, which have no effect. */
const classKey = ({ classes }: Pick<MenuItem, 'classes'>): string =>
  classes.filter(Boolean).join(' ')

/** What changes if an item gets the link and the texts of another one. */
function changesOf(addresses: SiteAddresses, item: MenuItem, wanted: ResolvedItem): ItemChanges {
  const { link } = wanted
  const isSame = isSameLink(addresses, item, link)
  const isShown = isSame && (item.title === wanted.sentTitle || switcherFlags(item) !== undefined)
  const { title, target, classes, xfn, attrTitle, description } = wanted
  return {
    ...(isSame ? {} : { link: withOwnSettings(link, item) }),
    ...(isShown || item.ownTitle === title ? {} : { title }),
    ...(item.target === target ? {} : { target }),
    ...(classKey(item) === classKey(wanted) ? {} : { classes }),
    ...(item.xfn === xfn ? {} : { xfn }),
    ...(item.attrTitle === attrTitle ? {} : { attrTitle }),
    ...(item.description === description ? {} : { description }),
  }
}

/** A language switcher keeps what its flags do not say. */
function withOwnSettings(link: ItemLink, { switcher }: MenuItem): ItemLink {
  return link.type === 'custom' && link.url === SWITCHER_URL && switcher
    ? { ...link, kept: switcher }
    : link
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
      return (
        addressKey(addresses, item.url) === addressKey(addresses, link.url) &&
        isSameSwitcher(item, link.switcher)
      )
  }
}

/** Only an item with the switcher's URL has flags. An item that is sent without them keeps its own, or stays without any. */
function isSameSwitcher(item: MenuItem, flags: readonly SwitcherFlag[] | undefined): boolean {
  if (item.url !== SWITCHER_URL) return true
  return flags === undefined || switcherFlags(item)?.join() === flags.join()
}
