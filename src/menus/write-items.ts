import { forEachYielding } from '../concurrency/for-each.ts'
import type { Tx } from '../db/transaction.ts'
import {
  deleteMenuItems,
  type MenuIds,
  readRelatedMenus,
} from '../wordpress/nav-menus/delete-menu-items.ts'
import {
  type InsertPosition,
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
import { lockAndRead, type MenuTarget } from './menu-target.ts'
import {
  assertTree,
  type InvalidItem,
  type ResolvedItem,
  resolveTree,
  storedTextsOf,
} from './resolve-tree.ts'
import { languagesOf, MENU_CHANGE, type WriteContext } from './write-context.ts'

/** A written item, with its position in the sent tree, and as stored. */
export type WrittenItem = MenuItem & { readonly at: string; readonly stored: StoredItem }

/**
 * Inserts resolved items into a menu and returns them in the form in which they will be read.
 * @param slugs those of the other items of the site, by id
 */
export async function writeItems(
  tx: Tx,
  site: Site,
  position: InsertPosition,
  items: readonly ResolvedItem[],
  context: WriteContext,
  slugs: ReadonlyMap<number, string>,
): Promise<WrittenItem[]> {
  const { links } = context
  const prepared = await prepareItems(tx, site, items, context)
  const stored = await insertMenuItems(tx, site, position, prepared, context, slugs.values())
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
  writing: WriteContext | Promise<WriteContext>,
): Promise<WrittenMenu> {
  const locking = lockAndRead(tx, site, target, languagesOf(writing), (id) =>
    readReplaced(tx, site, id),
  )
  const texts = locking.then(({ stored }) => storedTextsOf(stored))
  const [context, { stored, more: replaced }, resolved] = await Promise.all([
    writing,
    locking,
    resolveTree(tx, site, writing, tree, texts),
  ])
  assertTree(resolved, { allowInvalid })
  const items = await replaceAllItems(tx, site, stored, resolved.items, context, replaced)
  const { menu } = stored
  return { menu, items, invalid: resolved.invalid, change: MENU_CHANGE }
}

type ReplacedItems = {
  /** The menus that contain the items. */
  readonly menus: readonly MenuIds[]
  /** The slugs of all items of the site, by id. */
  readonly slugs: Map<number, string>
}

/** Reads what the replacement of all items of a locked menu depends on. */
export async function readReplaced(tx: Tx, site: Site, menuId: number): Promise<ReplacedItems> {
  const [menus, slugs] = await Promise.all([
    readRelatedMenus(tx, site, menuId),
    readItemSlugs(tx, site),
  ])
  return { menus, slugs }
}

/** Replaces all items of a menu that the caller has locked. */
export async function replaceAllItems(
  tx: Tx,
  site: Site,
  before: StoredMenu,
  items: readonly ResolvedItem[],
  context: WriteContext,
  replaced?: ReplacedItems,
): Promise<WrittenItem[]> {
  const { menu } = before
  const { menus, slugs } = replaced ?? (await readReplaced(tx, site, menu.id))
  const old = before.items.map(({ row }) => row.ID)
  await deleteMenuItems(tx, site, old, menus, items.length > 0 ? menu.id : undefined)
  for (const id of old) slugs.delete(id)
  const position = { menu, under: 0, after: 0 }
  const written = await writeItems(tx, site, position, items, context, slugs)
  const after = { menu, items: written.map(({ stored }) => stored) }
  await recordMenu(tx, site, { action: 'replaced', before, after })
  return written
}
