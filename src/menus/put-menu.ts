import type { Tx } from '../db/transaction.ts'
import { sanitizeTitle } from '../wordpress/formatting/slugs.ts'
import type { MenuAssignment } from '../wordpress/nav-menus/assign-menu.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { lockMenu, lockMenuNames } from '../wordpress/nav-menus/menu-term.ts'
import { listMenus, type Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { ItemLink } from '../wordpress/nav-menus/new-item.ts'
import { readMenu } from '../wordpress/nav-menus/read-menu.ts'
import {
  DEFAULT_SWITCHER_FLAGS,
  SWITCHER_URL,
  type SwitcherFlag,
  switcherFlags,
} from '../wordpress/nav-menus/switcher.ts'
import { listOtherPaths } from '../wordpress/network/find-sites.ts'
import type { Site } from '../wordpress/network/site.ts'
import { isSameName, type SentName } from './menu-names.ts'
import { portableUrl, type SiteAddresses } from './portable-items.ts'
import { type PortableMenu, readPortableMenu } from './portable-menu.ts'
import { assertTree, type InvalidItem, type ResolvedItem, resolveTree } from './resolve-tree.ts'
import { readStoredTexts } from './stored-texts.ts'
import type { WriteContext } from './write-context.ts'
import { type MenuTree, replaceAllItems } from './write-items.ts'
import { assignLocation, createMenu, renameMenu } from './write-menu.ts'

/** A menu as it is to stand on a site. */
export type WantedMenu = MenuTree & {
  readonly name: SentName
  /** As sent; by default made of the name. */
  readonly slug: string | undefined
  /** Where it is to be set; what stands there gives way. */
  readonly places: readonly MenuAssignment[]
}

export type PutMenuResult = {
  readonly menu: Menu
  readonly result: 'created' | 'replaced' | 'unchanged'
  /** The menu that bore the slug. */
  readonly before: PortableMenu | undefined
  readonly after: PortableMenu
  /** What was left out. */
  readonly invalid: readonly InvalidItem[]
  readonly warnings: readonly string[]
}

/**
 * Makes a menu, or gives the one that bears its slug its name and items, and sets it at its places. One that is so already is left
 * alone, so that its items keep their ids.
 * @throws AppError what `createMenu`, `renameMenu` and `assignLocation` throw
 */
export async function putMenu(
  tx: Tx,
  site: Site,
  wanted: WantedMenu,
  authorship: WriteContext,
): Promise<PutMenuResult> {
  const { links, locale } = authorship
  await lockMenuNames(tx, site)
  const slug = sanitizeTitle(wanted.slug ?? '', locale) || sanitizeTitle(wanted.name.stored, locale)
  const bearer = (await listMenus(tx, site)).find((menu) => menu.slug === slug)
  // Held before it is looked at, so that what others add meanwhile is among what is told to be lost.
  const held = bearer && (await lockMenu(tx, site, bearer.id))
  const before = held && (await readPortableMenu(tx, site, links, held))
  const put = held
    ? await replaceMenu(tx, site, held, wanted, authorship)
    : {
        result: 'created' as const,
        ...(await createMenu(tx, site, { ...wanted, assignment: undefined }, authorship)),
      }
  const warnings = [...put.warnings]
  for (const place of wanted.places) {
    const target = { ref: String(put.menu.id) }
    warnings.push(...(await assignLocation(tx, site, links.languages, target, place)).warnings)
  }
  const after = await readPortableMenu(tx, site, links, put.menu)
  const { menu, result, invalid } = put
  return { menu, result, before, after, invalid, warnings: [...new Set(warnings)] }
}

async function replaceMenu(
  tx: Tx,
  site: Site,
  menu: Menu,
  { name, tree, allowInvalid }: WantedMenu,
  authorship: WriteContext,
): Promise<Pick<PutMenuResult, 'menu' | 'result' | 'invalid' | 'warnings'>> {
  const { links } = authorship
  const { ids, texts } = await readStoredTexts(tx, site, menu)
  const resolved = await resolveTree(tx, site, authorship, tree, texts)
  assertTree(resolved, { allowInvalid })
  const { invalid } = resolved
  const { items = [] } = (await readMenu(tx, site, links, menu.id)) ?? {}
  const { home } = links
  const addresses = { home, others: await listOtherPaths(tx, site, home) }
  const isSame = isSameTree(addresses, items, resolved.items)
  if (!isSame)
    await replaceAllItems(tx, site, menu, { old: ids, items: resolved.items }, authorship)
  if (isSameName(menu, name)) {
    return { menu, result: isSame ? 'unchanged' : 'replaced', invalid, warnings: [] }
  }
  const target = { ref: String(menu.id) }
  const renamed = await renameMenu(tx, site, links.languages, target, { name, slug: undefined })
  return { ...renamed, result: 'replaced', invalid }
}

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
