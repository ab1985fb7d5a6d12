import type { Db } from '../../db/database.ts'
import {
  type ItemContent,
  type ItemLink,
  linkedObject,
  storableItems,
} from '../../wordpress/nav-menus/item-content.ts'
import {
  ITEM_TEXTS,
  type ItemTextName,
  type MenuItem,
  withoutEmptyClasses,
} from '../../wordpress/nav-menus/menu-item.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { type LinkedObjects, linkedBy, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import {
  SWITCHER_URL,
  type SwitcherFlag,
  switcherFlags,
} from '../../wordpress/nav-menus/switcher.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import { matchItems, type RecognizedItem } from './match-items.ts'
import {
  portableUrl,
  readPortableItems,
  readSiteAddresses,
  type SiteAddresses,
} from './portable-items.ts'
import type { ResolvedItem } from './resolve-tree.ts'

/** An item that a menu is to have: one that it has, with what changes, or a new one with all of its content. */
export type WantedItem = {
  /** Position in the sent tree. */
  readonly at: string
  /** Index of the parent in the list; -1 at the top. */
  readonly parent: number
  /** Undefined for a new one. */
  readonly kept: MenuItem | undefined
  readonly content: Partial<ItemContent>
}

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
 * @param isFile the tree is that of a menu file. It says nothing about items that an export leaves out, which stay, and the address of a page of
 * the site is the same in all its forms: `http://example.com/shop` and `https://example.com/shop/`
 */
export async function compareItems(
  db: Db,
  site: Site,
  links: LinkSettings,
  { menu, items: stored }: StoredMenu,
  resolved: readonly ResolvedItem[],
  { isFile = false } = {},
): Promise<TreeDifference> {
  const wanted = await storableItems(db, site, resolved)
  // Items of the menu that link anything else are not compared with it.
  const objects = linkedBy(links, wanted)
  const items = stored.map((item, index) => setUpItem(item, index + 1, objects))
  const published = items.filter(({ status }) => status === 'publish')
  const difference = { ...compareTrees(published, wanted, NO_ADDRESSES), objects }
  if (!isFile) {
    const drafts = items.filter(({ status }) => status !== 'publish')
    if (drafts.length === 0) return difference
    return { ...difference, removed: [...difference.removed, ...drafts], isSame: false }
  }
  if (difference.isSame) return difference
  // The paths of other sites, of which a network may have thousands, and the names of objects matter only if something differs.
  const [addresses, { leftOut }] = await Promise.all([
    readSiteAddresses(db, site, links),
    readPortableItems(db, site, links, menu.id),
  ])
  const isLeftOut = new Set(leftOut.map(({ id }) => id))
  const named = items.filter(({ id }) => !isLeftOut.has(id))
  return { ...compareTrees(named, wanted, addresses), objects }
}

/** With these, addresses are equal only if they are stored alike. */
const NO_ADDRESSES: SiteAddresses = { home: '', others: [] }

function compareTrees(
  items: readonly MenuItem[],
  wanted: readonly ResolvedItem[],
  addresses: SiteAddresses,
): Omit<TreeDifference, 'objects'> {
  const hierarchy = new ItemHierarchy(items)
  const byId = new Map(items.map((item) => [item.id, item]))
  const stored = hierarchy.flat().flatMap(({ id, parent }) => {
    const item = byId.get(id)
    return item ? [{ item, parent }] : []
  })
  const found = matchItems(
    stored.map(({ item, parent }) => recognized(item, keyOfItem(addresses, item), parent)),
    wanted.map((one) => recognized(one, keyOfLink(addresses, one.link), one.parent)),
  )
  const matched = new Set(found)
  const compared = wanted.map((one, index): WantedItem => {
    const kept = stored[found[index] ?? -1]?.item
    const content = kept ? changesOf(addresses, kept, one) : one
    return { at: one.at, parent: one.parent, kept, content }
  })
  return {
    items: compared,
    removed: stored.flatMap(({ item }, index) => (matched.has(index) ? [] : [item])),
    isSame:
      stored.length === wanted.length &&
      compared.every(
        ({ kept, parent, content }, index) =>
          found[index] === index &&
          parent === stored[index]?.parent &&
          kept !== undefined &&
          Object.keys(content).length === 0,
      ),
  }
}

const recognized = (
  item: MenuItem | ResolvedItem,
  link: string,
  parent: number,
): RecognizedItem => ({
  link,
  title: 'ownTitle' in item ? item.ownTitle : item.title,
  texts: JSON.stringify(ITEM_TEXTS.map((name) => textOf(item, name))),
  parent,
})

function textOf(item: MenuItem | ResolvedItem, name: ItemTextName): string {
  if (name !== 'classes') return item[name]
  const { classes } = item
  return withoutEmptyClasses(typeof classes === 'string' ? classes : classes.join(' '))
}

type LinkOfItem = Pick<MenuItem, 'type' | 'object' | 'objectId' | 'url'>

/** What an item links. Items with equal keys link the same. */
function keyOfItem(addresses: SiteAddresses, { type, object, objectId, url }: LinkOfItem): string {
  if (type === 'custom') return addressKey(addresses, url)
  if (type === 'post_type') return `${type} ${objectId}`
  return type === 'taxonomy' ? `${type} ${object} ${objectId}` : `${type} ${object}`
}

function keyOfLink(addresses: SiteAddresses, link: ItemLink): string {
  const { id: objectId, name: object } = linkedObject(link, 0)
  const url = link.type === 'custom' ? link.url : ''
  return keyOfItem(addresses, { type: link.type, object, objectId, url })
}

/** A path of the site begins with a slash in all its forms; an address that is stored as a path is another one. */
function addressKey(addresses: SiteAddresses, url: string): string {
  const path = portableUrl(addresses, url)
  return path === undefined ? `custom ${url}` : `path ${path}`
}

/** What changes if an item gets the link and the texts of another one. */
function changesOf(
  addresses: SiteAddresses,
  item: MenuItem,
  wanted: ResolvedItem,
): WantedItem['content'] {
  const { link, title } = wanted
  const isSame =
    keyOfItem(addresses, item) === keyOfLink(addresses, link) &&
    (link.type !== 'custom' || isSameSwitcher(item, link.switcher))
  const isShown = isSame && (item.title === wanted.sentTitle || switcherFlags(item) !== undefined)
  const texts = ITEM_TEXTS.filter((name) => textOf(item, name) !== textOf(wanted, name))
  return {
    ...(isSame ? {} : { link: withOwnSettings(link, item) }),
    ...(isShown || item.ownTitle === title ? {} : { title }),
    ...Object.fromEntries(texts.map((name) => [name, wanted[name]])),
  }
}

/** A language switcher keeps what its flags do not say. */
function withOwnSettings(link: ItemLink, { switcher }: MenuItem): ItemLink {
  return link.type === 'custom' && link.url === SWITCHER_URL && switcher
    ? { ...link, kept: switcher }
    : link
}

/** Only an item with the switcher's URL has flags. An item that is sent without them keeps its own, or stays without any. */
function isSameSwitcher(item: MenuItem, flags: readonly SwitcherFlag[] | undefined): boolean {
  if (item.url !== SWITCHER_URL) return true
  return flags === undefined || switcherFlags(item)?.join() === flags.join()
}
