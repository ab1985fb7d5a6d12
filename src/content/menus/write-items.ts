import type { Tx } from '../../db/transaction.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import type { ItemContext } from '../../wordpress/nav-menus/insert-menu-items.ts'
import { blankItem, changedItem, storableItems } from '../../wordpress/nav-menus/item-content.ts'
import {
  itemParent,
  type MenuItem,
  type SavedItem,
  type StoredItem,
} from '../../wordpress/nav-menus/menu-item.ts'
import { renameMenuTerm } from '../../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { linkItems, type StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { saveMenuItems } from '../../wordpress/nav-menus/save-menu-items.ts'
import { type LinkedObjects, linkedBy, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { compareItems, type TreeDifference, type WantedItem } from './compare-items.ts'
import { changesOf, hasOtherLink } from './item-changes.ts'
import type { UnresolvedItem } from './item-links.ts'
import type { ItemInput, ItemProblem, ItemTree } from './item-tree.ts'
import { recordMenu } from './menu-history.ts'
import { type LockedMenu, lockWholeTarget, type MenuTarget } from './menu-target.ts'
import { assertTree, type InvalidItem, resolveTree, storedTextsOf } from './resolve-tree.ts'
import { languagesOf, type WriteContext } from './write-context.ts'

export type WrittenMenu = {
  readonly menu: Menu
  readonly items: readonly WrittenItem[]
  /** What was left out. */
  readonly invalid: readonly InvalidItem[]
}

/** The items that a menu is to have. */
export type MenuTree = {
  readonly tree: ItemTree
  /** Leaves out items on unpublished pages, with their descendants, instead of rejecting the tree. */
  readonly allowInvalid: boolean
}

/**
 * Gives a menu the sent tree, which names no ids. If any item is rejected, none is written.
 * @throws AppError `bad_items`, `menu_items_unresolved`, `menu_items_invalid`, and those of `lockTarget`
 */
export async function replaceItems(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { tree, allowInvalid }: MenuTree,
  writing: WriteContext | Promise<WriteContext>,
): Promise<WrittenMenu> {
  const locking = lockForTree(tx, site, target, writing)
  const texts = locking.then(storedTextsOf)
  const [context, stored, resolved] = await Promise.all([
    writing,
    locking,
    resolveTree(tx, site, writing, tree, texts),
  ])
  assertTree(resolved, { allowInvalid })
  const difference = await compareItems(tx, site, context.links, stored, resolved.items)
  const items = await writeTree(tx, site, stored, difference, context)
  return { menu: stored.menu, items, invalid: resolved.invalid }
}

/**
 * Gives a menu the sent tree. An item with the `id` of an item of the menu stays this item, with everything that is not sent: its row, its slug,
 * its author, and the meta values of plugins. Items without an id are inserted, and items of the menu that are not sent are deleted.
 * @throws AppError those of `replaceItems`; an unknown id is an unresolved item
 */
export async function keepItems(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  tree: ItemTree,
  writing: WriteContext | Promise<WriteContext>,
): Promise<WrittenMenu> {
  const [context, stored] = await Promise.all([writing, lockForTree(tx, site, target, writing)])
  const { items: own, objects } = await linkItems(tx, site, context.links, stored)
  const before = new Map(own.map((item) => [item.id, item]))
  const isResolved = (input: ItemInput): boolean => {
    const item = input.id === undefined ? undefined : before.get(input.id)
    return item ? hasOtherLink(item, input) : input.id === undefined
  }
  const inputs = tree.items.filter(isResolved).map((input) => ({ ...input, parent: -1 }))
  // A new language switcher has settings of its own: the switchers of the menu are still there.
  const texts = { ...storedTextsOf(stored), switchers: [] }
  const found = await resolveTree(tx, site, context, { ...tree, items: inputs }, texts)
  const ids = findWrongIds(tree.items, before)
  assertTree(
    {
      ...found,
      bad: [...found.bad, ...ids.repeated],
      unresolved: [...found.unresolved, ...ids.unknown],
    },
    { allowInvalid: false },
  )
  const resolved = new Map(found.items.map((item) => [item.at, item]))

  const sent = new Set(tree.items.flatMap(({ id }) => id ?? []))
  const removed = [...before.values()].filter(({ id }) => !sent.has(id))
  const items = tree.items.flatMap((input): WantedItem[] => {
    const { at, parent } = input
    const kept = before.get(input.id ?? 0)
    const linked = resolved.get(at)
    if (kept) {
      const content = changesOf(kept, { ...input, linked }, objects, context, at)
      return [{ at, parent, kept, content }]
    }
    return linked ? [{ at, parent, kept, content: linked }] : []
  })
  const difference = { items, removed, objects: linkedBy(context.links, found.items, objects) }
  const written = await writeTree(tx, site, stored, difference, context)
  return { menu: stored.menu, items: written, invalid: [] }
}

/** Ids of items that the menu does not have, and those that are sent twice. */
function findWrongIds(items: readonly ItemInput[], before: ReadonlyMap<number, MenuItem>) {
  const repeated: ItemProblem[] = []
  const unknown: UnresolvedItem[] = []
  const seen = new Set<number>()
  for (const { at, id } of items) {
    if (id === undefined) continue
    if (!before.has(id))
      unknown.push({ at, reason: 'not_found', message: `This menu has no item ${id}.` })
    else if (seen.has(id))
      repeated.push({ at, reason: 'bad_id', message: `The item ${id} is sent twice.` })
    seen.add(id)
  }
  return { repeated, unknown }
}

const lockForTree = (
  tx: Tx,
  site: Site,
  target: MenuTarget,
  writing: WriteContext | Promise<WriteContext>,
): Promise<LockedMenu> =>
  lockWholeTarget(tx, site, target, {
    languages: languagesOf(writing),
    deletes: true,
    inserts: true,
  })

/**
 * Gives a menu that the caller has locked the items that it lacks.
 * @param menu with its new names [those that it has]
 * @returns the wanted items as they are read afterwards
 */
export async function writeTree(
  tx: Tx,
  site: Site,
  before: LockedMenu,
  difference: Omit<TreeDifference, 'isSame'>,
  context: WriteContext,
  menu = before.menu,
): Promise<WrittenItem[]> {
  const contents = difference.items.map(({ content }) => content)
  const storable = await storableItems(tx, site, contents)
  const entries = entriesOf(before, difference, storable)
  const items = entries.map(({ item }, index) => numbered(item, index))
  const saved = await saveMenu(tx, site, before, { ...before, menu, items }, context)
  const ats = entries.map(({ at }) => at)
  return writtenItems(saved.items, ats, difference.objects)
}

/** An item of the menu in its new order, and its position in the tree, if the tree has it. */
type Entry = { readonly item: SavedItem; readonly at?: string }

/**
 * The items that a menu has with the items of a tree. An item that stays though the tree does not have it comes after the item that it came after
 * before.
 * @param contents those of the items of the tree
 */
function entriesOf(
  before: StoredMenu,
  { items, removed }: Pick<TreeDifference, 'items' | 'removed'>,
  contents: readonly WantedItem['content'][],
): Entry[] {
  const stored = new Map(before.items.map((item) => [item.row.ID, item]))
  const gone = new Set(removed.map(({ id }) => id))
  const idOf = (index: number): number =>
    items[index] === undefined ? 0 : (items[index].kept?.id ?? idOfNew(index))
  // A parent that is not in the menu counts as none, and stays as it is; so does one that the tree does not name.
  const known = new Set([...items.flatMap(({ kept }) => kept?.id ?? []), ...gone])
  const entryOf = ({ at, kept, ...wanted }: WantedItem, index: number): Entry[] => {
    const item = kept ? stored.get(kept.id) : blankItem(idOfNew(index))
    if (!item) return []
    const [former, parent] = [itemParent(item.meta), idOf(wanted.parent)]
    const isMoved = !kept || parent !== (known.has(former) ? former : 0)
    const changes = { ...contents[index], ...(isMoved ? { parent } : {}) }
    return [{ item: changedItem(item, changes), at }]
  }
  const indexes = new Map(items.flatMap(({ kept }, index) => (kept ? [[kept.id, index]] : [])))
  const staying = new Map<number, Entry[]>()
  let previous = -1
  for (const item of before.items) {
    const index = indexes.get(item.row.ID)
    if (index !== undefined) previous = index
    else if (!gone.has(item.row.ID))
      staying.set(previous, [...(staying.get(previous) ?? []), { item }])
  }
  const after = (index: number): readonly Entry[] => staying.get(index) ?? []
  const inTree = items.flatMap((wanted, index) => [...entryOf(wanted, index), ...after(index)])
  return [...after(-1), ...inTree]
}

/** A written item, with its position in the sent tree. */
export type WrittenItem = MenuItem & { readonly at: string }

/** A menu as it is to be stored. */
type WantedMenu = StoredMenu & { readonly items: readonly SavedItem[] }

/**
 * Gives a menu that the caller has locked other names or items, writes the difference, and records the write.
 * @param context only deletions and another order do without
 * @returns the menu as it is stored then, its items in the same order
 */
export async function saveMenu(
  tx: Tx,
  site: Site,
  before: LockedMenu,
  after: WantedMenu,
  context?: ItemContext,
): Promise<StoredMenu> {
  const { known, inserted } = before
  const isRenamed = after.menu !== before.menu
  const menu = isRenamed ? renameMenuTerm(tx, site, before.menu, after.menu) : before.menu
  const items =
    after.items === before.items
      ? before.items
      : await saveMenuItems(tx, site, menu, before.items, after.items, context, known)
  const stored = { ...after, menu, items }
  await recordMenu(tx, site, inserted ? undefined : before, stored, inserted === 'new')
  return stored
}

/** Items get their numbers from their order. */
export const numbered = (item: SavedItem, index: number): SavedItem =>
  item.row.menu_order === index + 1
    ? item
    : { ...item, row: { ...item.row, menu_order: index + 1 } }

/** The id of an item that is not stored yet, by its index in a list. */
export const idOfNew = (index: number): number => -1 - index

/**
 * Saved items as they are read afterwards.
 * @param ats the position of each in the sent tree; those without one are left out
 */
export async function writtenItems(
  saved: readonly StoredItem[],
  ats: readonly (string | undefined)[],
  objects: LinkedObjects,
): Promise<WrittenItem[]> {
  const written: WrittenItem[] = []
  await forEachYielding(saved, (item, index) => {
    const at = ats[index]
    // Assigned, not spread: copying the fields takes longer than computing them.
    if (at !== undefined)
      written.push(Object.assign(setUpItem(item, item.row.menu_order, objects), { at }))
  })
  return written
}
