import type { Tx } from '../../db/transaction.ts'
import { mapYielding } from '../../host/concurrency/for-each.ts'
import { AppError, errorOf } from '../../host/errors.ts'
import { blankItem, changedItem, storableItems } from '../../wordpress/nav-menus/item-content.ts'
import {
  itemParent,
  type MenuItem,
  PARENT_META_KEY,
  type SavedItem,
  type StoredItem,
} from '../../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { readLinkedObjects } from '../../wordpress/nav-menus/read-menu.ts'
import { linkedBy, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { changesOf, hasOtherLink } from './item-changes.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import { type ItemTree, MAX_ITEMS, MAX_LEVELS, type SentTexts } from './item-tree.ts'
import { lockWholeTarget, type MenuTarget } from './menu-target.ts'
import { assertSingleItem, type ResolvedItem, resolveTree, SINGLE_ITEM_AT } from './resolve-tree.ts'
import { languagesOf, type WriteContext } from './write-context.ts'
import { idOfNew, numbered, saveMenu, writtenItems } from './write-items.ts'

/** The items of a locked menu and their hierarchy. */
class MenuContents {
  readonly hierarchy: ItemHierarchy
  readonly #stored: Map<number, SavedItem>

  /** @param items in their stored order */
  constructor(items: readonly StoredItem[]) {
    this.hierarchy = new ItemHierarchy(
      items.map(({ row, meta }) => ({ id: row.ID, parent: itemParent(meta) })),
    )
    this.#stored = new Map(items.map((item) => [item.row.ID, item]))
  }

  /** @throws AppError `item_not_found` unless the id is of an item of the menu */
  assertItem(id: number): void {
    if (!this.#stored.has(id)) throw errorOf('item_not_found', { id })
  }

  /** @throws AppError `item_not_found` unless the id is 0, the top level, or of an item of the menu */
  assertParent(id: number): void {
    if (id !== 0) this.assertItem(id)
  }

  /** Adds items at the end of a level, parents before their children. */
  add(items: readonly SavedItem[]): void {
    for (const item of items) {
      this.set(item)
      this.hierarchy.append(item.row.ID, Number(item.meta.get(PARENT_META_KEY)))
    }
  }

  /** Replaces an item, but for its position. */
  set(item: SavedItem): void {
    this.#stored.set(item.row.ID, item)
  }

  /** The position of an item in the menu, from 1. */
  orderOf(id: number): number {
    return this.hierarchy.branch(0).indexOf(id) + 1
  }

  /** The number of items of the menu. */
  get total(): number {
    return this.hierarchy.branch(0).length
  }

  /** The items in their order. */
  items(): SavedItem[] {
    const items = this.hierarchy.branch(0).flatMap((id) => this.#stored.get(id) ?? [])
    return items.map(numbered)
  }
}

/** An item to add with its descendants, and the id of its parent; 0 for the top level. */
type ItemAddition = { readonly tree: ItemTree; readonly parent: number }

type AddedItem = {
  readonly menu: Menu
  readonly item: MenuItem
  /** Number of items of the menu. */
  readonly total: number
}

/**
 * Adds an item at the end of a level.
 * @throws AppError `item_not_found` for the parent, `bad_items`, and those of `assertSingleItem` and `lockTarget`
 */
export async function addItem(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { tree, parent }: ItemAddition,
  writing: WriteContext | Promise<WriteContext>,
): Promise<AddedItem> {
  const [context, stored, resolved] = await Promise.all([
    writing,
    lockWholeTarget(tx, site, target, { languages: languagesOf(writing), inserts: true }),
    resolveTree(tx, site, writing, tree),
  ])
  const { menu } = stored
  assertSingleItem(resolved)
  const contents = new MenuContents(stored.items)
  contents.assertParent(parent)
  assertWithinLimits(contents, parent, resolved.items)
  contents.add(await newItems(tx, site, resolved.items, parent))
  const items = contents.items()
  const saved = await saveMenu(tx, site, stored, { ...stored, items }, context)
  const ats = items.map(({ row }) => (row.ID === idOfNew(0) ? SINGLE_ITEM_AT : undefined))
  const [item] = await writtenItems(saved.items, ats, linkedBy(context.links, resolved.items))
  if (!item) throw new Error('menu item was not inserted')
  return { menu, item, total: contents.total }
}

/** New items as they are to be stored. @param under the id of the item that becomes the parent of the list's top level; 0 for none */
async function newItems(
  tx: Tx,
  site: Site,
  items: readonly ResolvedItem[],
  under: number,
): Promise<SavedItem[]> {
  return mapYielding(await storableItems(tx, site, items), (item, index) => {
    const parent = item.parent < 0 ? under : idOfNew(item.parent)
    return changedItem(blankItem(idOfNew(index)), { ...item, parent })
  })
}

function assertWithinLimits(
  { total, hierarchy }: MenuContents,
  parent: number,
  items: readonly ResolvedItem[],
): void {
  const levels = items.reduce((most, { at }) => Math.max(most, at.split('.').length), 0)
  if (total + items.length > MAX_ITEMS) throw menuTooLarge('too_many_items')
  if (hierarchy.depth(parent) + levels > MAX_LEVELS) throw menuTooLarge('too_deep')
}

const menuTooLarge = (reason: string): AppError =>
  new AppError(
    'bad_items',
    `A menu has at most ${MAX_ITEMS} items on ${MAX_LEVELS} levels; this write would exceed that.`,
    { errors: [{ at: '0', reason }] },
  )

type RemovedItem = {
  readonly menu: Menu
  /** Ids of the item and its descendants, in order. */
  readonly removed: readonly number[]
  /** Number of remaining items. */
  readonly total: number
}

/**
 * Deletes an item with its descendants.
 * @throws AppError `item_not_found`, and those of `lockTarget`
 */
export async function removeItem(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  itemId: number,
): Promise<RemovedItem> {
  const stored = await lockWholeTarget(tx, site, target, { deletes: true })
  const { menu } = stored
  const contents = new MenuContents(stored.items)
  contents.assertItem(itemId)
  const removed = contents.hierarchy.branch(itemId)
  contents.hierarchy.remove(itemId)
  await saveMenu(tx, site, stored, { ...stored, items: contents.items() })
  return { menu, removed, total: contents.total }
}

/** A level, named by the id of the parent item (0 for the top level), and the new order of its items. */
type LevelOrder = { readonly parent: number; readonly order: readonly number[] }

type ReorderedLevel = {
  readonly menu: Menu
  /** Ids of all items of the level in their new order. */
  readonly order: readonly number[]
  /** Ids that were not named and are now at the end of the level. */
  readonly appended: readonly number[]
}

/**
 * Reorders the items of one level; descendants move along.
 * @throws AppError `item_not_found`; `bad_reorder` for items of another level or named twice; and those of `lockTarget`
 */
export async function reorderLevel(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { parent, order }: LevelOrder,
): Promise<ReorderedLevel> {
  const stored = await lockWholeTarget(tx, site, target)
  const { menu } = stored
  const contents = new MenuContents(stored.items)
  contents.assertParent(parent)
  for (const id of order) contents.assertItem(id)
  const named = new Set(order)
  const level = contents.hierarchy.level(parent)
  const inLevel = new Set(level)
  const notInLevel = [...named].filter((id) => !inLevel.has(id))
  if (notInLevel.length > 0 || named.size < order.length)
    throw errorOf('bad_reorder', { level, not_in_level: notInLevel })
  const appended = level.filter((id) => !named.has(id))
  const newOrder = [...order, ...appended]
  contents.hierarchy.setLevel(parent, newOrder)
  await saveMenu(tx, site, stored, { ...stored, items: contents.items() })
  return { menu, order: newOrder, appended }
}

/** The fields to change; absent fields stay. */
type ItemUpdate = SentTexts & {
  /** A tree of one item with the new link. */
  readonly link?: ItemTree | undefined
  /** Id of the new parent item, 0 for the top level. */
  readonly parent?: number | undefined
}

type UpdatedItem = {
  readonly menu: Menu
  readonly before: MenuItem
  readonly after: MenuItem
}

/**
 * Changes an item, or moves it with its descendants to the end of another level.
 * @throws AppError `item_not_found`, `bad_parent`, and those of `assertSingleItem` and `lockTarget`
 */
export async function updateItem(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  itemId: number,
  update: ItemUpdate,
  writing: WriteContext | Promise<WriteContext>,
): Promise<UpdatedItem> {
  const [context, stored, resolved] = await Promise.all([
    writing,
    lockWholeTarget(tx, site, target, { languages: languagesOf(writing) }),
    update.link && resolveTree(tx, site, writing, update.link),
  ])
  const { links } = context
  const { menu } = stored
  const contents = new MenuContents(stored.items)
  const index = stored.items.findIndex(({ row }) => row.ID === itemId)
  const own = stored.items[index]
  if (!own) throw errorOf('item_not_found', { id: itemId })
  const objects = await readLinkedObjects(tx, site, links, [own])
  const before = setUpItem(own, index + 1, objects)
  const { link: tree, parent, ...texts } = update
  const isLinkNew = tree !== undefined && !isLinked(before, tree)
  if (resolved && isLinkNew) assertSingleItem(resolved)
  const linked = isLinkNew ? resolved?.items[0] : undefined
  const changes = {
    ...changesOf(before, { ...texts, linked }, objects, context, SINGLE_ITEM_AT),
    ...(parent === undefined || parent === before.parent ? {} : { parent }),
  }
  if (changes.parent !== undefined) moveItem(contents, before.id, changes.parent)
  const [storable = changes] = await storableItems(tx, site, [changes])
  contents.set(changedItem(own, storable))
  const order = contents.orderOf(itemId)
  const wanted = { ...stored, items: contents.items() }
  const saved = await saveMenu(tx, site, stored, wanted, context)
  const linkedNow = linkedBy(links, linked ? [linked] : [], objects)
  const after = setUpItem(saved.items[order - 1] ?? own, order, linkedNow)
  return { menu, before, after }
}

/** Whether an item has this link already. An address that is missing is '', which an item of another program may have. */
function isLinked(item: MenuItem, { items: [sent], problems }: ItemTree): boolean {
  if (!sent || problems.some(({ reason }) => reason !== 'target_required')) return false
  return !hasOtherLink(item, sent.page === undefined ? { url: '', ...sent } : sent)
}

/** @throws AppError `item_not_found` for the parent; `bad_parent` */
function moveItem(contents: MenuContents, id: number, parent: number): void {
  const { hierarchy } = contents
  contents.assertParent(parent)
  if (hierarchy.branch(id).includes(parent))
    throw new AppError(
      'bad_parent',
      'An item cannot be a child of itself or of its own branch. Name another parent.',
    )
  if (hierarchy.depth(parent) + hierarchy.height(id) > MAX_LEVELS)
    throw new AppError(
      'bad_parent',
      `A menu has at most ${MAX_LEVELS} levels. Name a higher parent.`,
    )
  hierarchy.append(id, parent)
}
