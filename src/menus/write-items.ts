import { forEachYielding } from '../concurrency/for-each.ts'
import type { Tx } from '../db/transaction.ts'
import { deleteMenuItems, readMenusOf } from '../wordpress/nav-menus/delete-menu-items.ts'
import {
  type InsertPosition,
  type ItemSlugs,
  insertMenuItems,
  prepareItems,
  readItemSlugs,
} from '../wordpress/nav-menus/insert-menu-items.ts'
import type { MenuItem, StoredItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { linkedTerms, setUpItem } from '../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Change } from '../work/change.ts'
import type { ItemTree } from './item-tree.ts'
import { recordMenu } from './menu-history.ts'
import { lockWholeTarget, type MenuTarget } from './menu-target.ts'
import {
  assertTree,
  type InvalidItem,
  type ResolvedItem,
  resolveTree,
  storedTextsOf,
} from './resolve-tree.ts'
import { MENU_CHANGE, type WriteContext } from './write-context.ts'

/** A written item, with its position in the sent tree, and as stored. */
export type WrittenItem = MenuItem & { readonly at: string; readonly stored: StoredItem }

/**
 * Inserts resolved items into a menu and returns them in the form in which they will be read.
 * @param slugs those of all items, after the deletions of the caller
 */
export async function writeItems(
  tx: Tx,
  site: Site,
  position: InsertPosition,
  items: readonly ResolvedItem[],
  context: WriteContext,
  slugs: ItemSlugs | Promise<ItemSlugs> = readItemSlugs(tx, site),
): Promise<WrittenItem[]> {
  const { links } = context
  const [taken, prepared] = await Promise.all([slugs, prepareItems(tx, site, items, context)])
  const stored = await insertMenuItems(tx, site, position, prepared, context, taken)
  const posts = new Map(
    items.flatMap(({ link }) => (link.type === 'post_type' ? [[link.post.id, link.post]] : [])),
  )
  const terms = linkedTerms(
    items.flatMap(({ link }) => (link.type === 'taxonomy' ? [link.term] : [])),
  )
  const viewer = { readsPrivate: false, lang: null }
  const written: WrittenItem[] = []
  await forEachYielding(stored, (item, index) => {
    const set = setUpItem(item, item.row.menu_order, { links, posts, terms, viewer })
    // Assigned, not spread: copying the fields takes longer than computing them.
    written.push(Object.assign(set, { at: items[index]?.at ?? '', stored: item }))
  })
  return written
}

export type WrittenMenu = {
  readonly menu: Menu
  readonly items: readonly WrittenItem[]
  /** What was left out. */
  readonly invalid: readonly InvalidItem[]
  readonly change: Change
}

/** The items that a menu is to have. */
export type MenuTree = {
  readonly tree: ItemTree
  /** Leaves out items on unpublished pages, with their descendants, instead of rejecting the tree. */
  readonly allowInvalid: boolean
}

/**
 * Replaces all items of a menu. If any item is rejected, none is written.
 * @throws DomainError `items_malformed`, `items_unresolved`, `items_unpublished`, and those of `lockTarget`
 */
export async function replaceItems(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { tree, allowInvalid }: MenuTree,
  context: WriteContext,
): Promise<WrittenMenu> {
  const stored = await lockWholeTarget(tx, site, context.links.languages, target)
  const resolved = await resolveTree(tx, site, context, tree, storedTextsOf(stored))
  assertTree(resolved, { allowInvalid })
  const items = await replaceAllItems(tx, site, stored, resolved.items, context)
  const { menu } = stored
  return { menu, items, invalid: resolved.invalid, change: MENU_CHANGE }
}

/** Replaces all items of a menu that the caller has locked. */
export async function replaceAllItems(
  tx: Tx,
  site: Site,
  before: StoredMenu,
  items: readonly ResolvedItem[],
  context: WriteContext,
): Promise<WrittenItem[]> {
  const { menu } = before
  const old = before.items.map(({ row }) => row.ID)
  const [menus, slugs] = await Promise.all([
    readMenusOf(tx, site, old),
    readItemSlugs(tx, site, old),
  ])
  await deleteMenuItems(tx, site, old, menus)
  const position = { menu, under: 0, after: 0 }
  const written = await writeItems(tx, site, position, items, context, slugs)
  const after = { menu, items: written.map(({ stored }) => stored) }
  await recordMenu(tx, site, { action: 'replaced', before, after })
  return written
}
