import type { Change } from '../change.ts'
import { forEachYielding } from '../concurrency/for-each.ts'
import type { Tx } from '../db/transaction.ts'
import { deleteMenuItems } from '../wordpress/nav-menus/delete-menu-items.ts'
import {
  type InsertPosition,
  insertMenuItems,
  prepareItems,
} from '../wordpress/nav-menus/insert-menu-items.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import { linkedTerms, setUpItem } from '../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { ItemTree } from './item-tree.ts'
import { lockTarget, type MenuTarget } from './menu-target.ts'
import { assertTree, type InvalidItem, type ResolvedItem, resolveTree } from './resolve-tree.ts'
import { readStoredTexts } from './stored-texts.ts'
import { MENU_CHANGE, type WriteContext } from './write-context.ts'

/** An item that was written, and where it stood in what was sent. */
export type WrittenItem = MenuItem & { readonly at: string }

/**
 * Adds resolved items to a menu and gives them as they will be read.
 * @param makeRoom what is to be done before the first is written; the server does it while the items are drafted
 */
export async function writeItems(
  tx: Tx,
  site: Site,
  place: InsertPosition,
  items: readonly ResolvedItem[],
  authorship: WriteContext,
  makeRoom: () => Promise<void> = async () => {},
): Promise<WrittenItem[]> {
  const { links } = authorship
  const [, drafts] = await Promise.all([makeRoom(), prepareItems(tx, site, items, authorship)])
  const stored = await insertMenuItems(tx, site, place, drafts, authorship)
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
    // Not spread: copying so many fields takes longer than finding them.
    written.push(Object.assign(set, { at: items[index]?.at ?? '' }))
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

/** A tree to fill a menu with. */
export type MenuTree = {
  readonly tree: ItemTree
  /** Leaves items on unpublished pages out, with all below them. */
  readonly allowInvalid: boolean
}

/**
 * Replaces all items of a menu, or none (contract, section 4.2.6).
 * @throws AppError `bad_items`, `menu_items_unresolved`, `menu_items_invalid`, and what `lockTarget` throws
 */
export async function replaceItems(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { tree, allowInvalid }: MenuTree,
  authorship: WriteContext,
): Promise<WrittenMenu> {
  const menu = await lockTarget(tx, site, authorship.links.languages, target)
  const { ids, texts } = await readStoredTexts(tx, site, menu)
  const resolved = await resolveTree(tx, site, authorship, tree, texts)
  assertTree(resolved, { allowInvalid })
  const items = await replaceAllItems(
    tx,
    site,
    menu,
    { old: ids, items: resolved.items },
    authorship,
  )
  return { menu, items, invalid: resolved.invalid, change: MENU_CHANGE }
}

/**
 * Puts items in place of all of a menu that the caller holds.
 * @param old ids of the items that go
 */
export async function replaceAllItems(
  tx: Tx,
  site: Site,
  menu: Menu,
  { old, items }: { readonly old: readonly number[]; readonly items: readonly ResolvedItem[] },
  authorship: WriteContext,
): Promise<WrittenItem[]> {
  const place = { menu, under: 0, after: 0 }
  return writeItems(tx, site, place, items, authorship, () => deleteMenuItems(tx, site, old))
}
