import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { sanitizeTitle } from '../wordpress/formatting/slugs.ts'
import type { MenuAssignment } from '../wordpress/nav-menus/assign-menu.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { lockMenuNames, lockStoredMenu } from '../wordpress/nav-menus/menu-term.ts'
import { listMenus, type Menu } from '../wordpress/nav-menus/nav-menu.ts'
import { type ItemLink, storableItems } from '../wordpress/nav-menus/new-item.ts'
import { linkItems, type StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { SWITCHER_URL, type SwitcherFlag, switcherFlags } from '../wordpress/nav-menus/switcher.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { isSameName, type SentName } from './menu-names.ts'
import { portableUrl, readSiteAddresses, type SiteAddresses } from './portable-items.ts'
import { type PortableMenu, readPortableMenu } from './portable-menu.ts'
import {
  assertTree,
  type InvalidItem,
  type ResolvedItem,
  resolveTree,
  storedTextsOf,
} from './resolve-tree.ts'
import type { WriteContext } from './write-context.ts'
import { type MenuTree, replaceAllItems } from './write-items.ts'
import { assignLocation, createMenu, renameMenu } from './write-menu.ts'

/** The desired state of a menu on a site. */
type WantedMenu = MenuTree & {
  readonly name: SentName
  /** As sent; by default derived from the name. */
  readonly slug: string | undefined
  /** Locations to assign it to, replacing other menus there. */
  readonly assignments: readonly MenuAssignment[]
}

export type PutMenuResult = {
  readonly menu: Menu
  readonly result: 'created' | 'replaced' | 'unchanged'
  /** The menu that had the slug before. */
  readonly before: PortableMenu | undefined
  readonly after: PortableMenu
  /** What was left out. */
  readonly invalid: readonly InvalidItem[]
  readonly warnings: readonly string[]
}

/**
 * Creates a menu, or replaces the name and items of the menu with its slug, and assigns it to its locations. A menu that is already in the
 * desired state is not written, so that its items keep their ids.
 * @throws DomainError those of `createMenu`, `renameMenu` and `assignLocation`
 */
export async function putMenu(
  tx: Tx,
  site: Site,
  wanted: WantedMenu,
  context: WriteContext,
): Promise<PutMenuResult> {
  const { links, locale } = context
  await lockMenuNames(tx, site)
  const slug = sanitizeTitle(wanted.slug ?? '', locale) || sanitizeTitle(wanted.name.stored, locale)
  const existing = (await listMenus(tx, site)).find((menu) => menu.slug === slug)
  // Locked before it is read, so that the reported state before includes concurrent writes.
  const locked = existing && (await lockStoredMenu(tx, site, existing.id))
  const before = locked && (await readPortableMenu(tx, site, links, locked.menu))
  const put = locked
    ? await replaceMenu(tx, site, locked, wanted, context)
    : {
        result: 'created' as const,
        ...(await createMenu(tx, site, { ...wanted, assignment: undefined }, context)),
      }
  const warnings = [...put.warnings]
  for (const assignment of wanted.assignments) {
    const target = { ref: String(put.menu.id) }
    const assigned = await assignLocation(tx, site, links.languages, target, assignment)
    warnings.push(...assigned.warnings)
  }
  const after = await readPortableMenu(tx, site, links, put.menu)
  const { menu, result, invalid } = put
  return { menu, result, before, after, invalid, warnings: [...new Set(warnings)] }
}

async function replaceMenu(
  tx: Tx,
  site: Site,
  stored: StoredMenu,
  { name, tree, allowInvalid }: WantedMenu,
  context: WriteContext,
): Promise<Pick<PutMenuResult, 'menu' | 'result' | 'invalid' | 'warnings'>> {
  const { links } = context
  const { menu } = stored
  const resolved = await resolveTree(tx, site, context, tree, storedTextsOf(stored))
  assertTree(resolved, { allowInvalid })
  const { invalid } = resolved
  const isSame = await hasItems(tx, site, links, stored, resolved.items)
  if (!isSame) await replaceAllItems(tx, site, stored, resolved.items, context)
  if (isSameName(menu, name)) {
    return { menu, result: isSame ? 'unchanged' : 'replaced', invalid, warnings: [] }
  }
  const target = { ref: String(menu.id) }
  const renamed = await renameMenu(tx, site, links.languages, target, { name, slug: undefined })
  return { ...renamed, result: 'replaced', invalid }
}

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
