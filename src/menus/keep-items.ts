import type { Tx } from '../db/transaction.ts'
import { DomainError } from '../errors.ts'
import { deleteMenuItems } from '../wordpress/nav-menus/delete-menu-items.ts'
import { insertMenuItems, prepareItems } from '../wordpress/nav-menus/insert-menu-items.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { linkItems, readLinkedObjects, readStoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { setUpItem } from '../wordpress/nav-menus/set-up-item.ts'
import {
  setItemOrder,
  setItemParents,
  updateMenuItem,
} from '../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { UnresolvedItem } from './item-links.ts'
import type { ItemInput, ItemProblem, ItemTree } from './item-tree.ts'
import { recordMenu } from './menu-history.ts'
import { lockAndRead, type MenuTarget } from './menu-target.ts'
import { assertTree, type ResolvedItem, resolveTree, storedTextsOf } from './resolve-tree.ts'
import { changesOf } from './update-item.ts'
import { languagesOf, MENU_CHANGE, type WriteContext } from './write-context.ts'
import { readReplaced, type WrittenItem, type WrittenMenu } from './write-items.ts'

/**
 * Gives a menu the sent tree. An item with the `id` of an item of the menu stays this item, with everything that is not sent: its row, its slug,
 * its author, and the meta values of plugins. Items without an id are inserted, and items of the menu that are not sent are deleted.
 * @throws DomainError those of `replaceItems`; an unknown id is an unresolved item
 */
export async function keepItems(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  tree: ItemTree,
  writing: WriteContext | Promise<WriteContext>,
): Promise<WrittenMenu> {
  const [context, { stored, more }] = await Promise.all([
    writing,
    lockAndRead(tx, site, target, languagesOf(writing), (id) => readReplaced(tx, site, id)),
  ])
  const { menu } = stored
  const objects = await readLinkedObjects(tx, site, context.links, stored.items)
  const before = new Map(
    stored.items.map((item, index) => [item.row.ID, setUpItem(item, index + 1, objects)]),
  )
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
  const removed = [...before.keys()].filter((id) => !sent.has(id))
  await deleteMenuItems(tx, site, removed, more.menus)
  for (const id of removed) more.slugs.delete(id)
  const idAt = await insertNewItems(tx, site, { menu, tree, resolved, slugs: more.slugs }, context)

  const parents = new Map<number, number>()
  for (const [index, input] of tree.items.entries()) {
    const item = before.get(input.id ?? 0)
    const parent = idAt[input.parent] ?? 0
    const id = idAt[index] ?? 0
    // A parent that is not in the menu counts as none, and stays as it is.
    const former = item && before.has(item.parent) ? item.parent : 0
    const isBelowNewItem = item === undefined && tree.items[input.parent]?.id === undefined
    if (parent !== former && !isBelowNewItem) parents.set(id, parent)
    if (!item) continue
    const linked = resolved.get(input.at)
    const changes = changesOf(item, { ...input, linked }, objects, context, input.at)
    if (Object.keys(changes).length > 0)
      await updateMenuItem(tx, site, item, changes, context.moment)
  }
  await setItemParents(tx, site, parents, context.moment)
  const first = idAt.findIndex((id, index) => before.get(id)?.storedOrder !== index + 1)
  if (first >= 0) setItemOrder(tx, site, idAt, first)

  const updated = (await readStoredMenu(tx, site, menu.id)) ?? stored
  await recordMenu(tx, site, { action: 'replaced', before: stored, after: updated })
  const { items } = await linkItems(tx, site, context.links, updated)
  const written = items.map(
    (item, index): WrittenItem => ({
      ...item,
      at: tree.items[index]?.at ?? '',
      stored: updated.items[index] as WrittenItem['stored'],
    }),
  )
  return { menu, items: written, invalid: [], change: MENU_CHANGE }
}

/** Whether a link was sent that is not the one that the item has. */
function hasOtherLink(item: MenuItem, { page, url, object }: ItemInput): boolean {
  if (page !== undefined) return !item.valid || page !== item.page
  if (url !== undefined) return item.page !== null || url !== item.url
  switch (object?.kind) {
    case undefined:
      return false
    case 'post-id':
      return item.type !== 'post_type' || item.objectId !== object.id
    case 'term-id':
      return (
        item.type !== 'taxonomy' || item.object !== object.taxonomy || item.objectId !== object.id
      )
    case 'archive':
      return item.type !== 'post_type_archive' || item.object !== object.type
    default:
      return true
  }
}

type WrongIds = {
  readonly repeated: readonly ItemProblem[]
  readonly unknown: readonly UnresolvedItem[]
}

function findWrongIds(
  items: readonly ItemInput[],
  before: ReadonlyMap<number, MenuItem>,
): WrongIds {
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

type NewItems = {
  readonly menu: WrittenMenu['menu']
  readonly tree: ItemTree
  /** By position in the sent tree. */
  readonly resolved: ReadonlyMap<string, ResolvedItem>
  readonly slugs: ReadonlyMap<number, string>
}

/**
 * Inserts the items without an id, those below kept items at the top level for now.
 * @returns the ids of all items of the tree
 */
async function insertNewItems(
  tx: Tx,
  site: Site,
  { menu, tree, resolved, slugs }: NewItems,
  context: WriteContext,
): Promise<readonly number[]> {
  /** Index in the sent tree to index among the new items. */
  const indexes = new Map<number, number>()
  const added: ResolvedItem[] = []
  for (const [index, { at, id, parent }] of tree.items.entries()) {
    const item = id === undefined ? resolved.get(at) : undefined
    if (!item) continue
    indexes.set(index, added.length)
    added.push({ ...item, parent: indexes.get(parent) ?? -1 })
  }
  const prepared = await prepareItems(tx, site, added, context)
  const position = { menu, under: 0, after: 0 }
  const stored = [...(await insertMenuItems(tx, site, position, prepared, context, slugs.values()))]
  return tree.items.map(({ id }, index) => {
    const inserted = stored[indexes.get(index) ?? -1]?.row.ID ?? id
    if (inserted === undefined) throw new DomainError('menu_deleted', { ref: String(menu.id) })
    return inserted
  })
}
