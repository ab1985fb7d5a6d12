import type { Tx } from '../../db/transaction.ts'
import { AppError, errorOf } from '../../host/errors.ts'
import { kses } from '../../wordpress/formatting/kses.ts'
import { menuItemClasses, menuItemTarget } from '../../wordpress/formatting/menu-texts.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { storableItems, untitled } from '../../wordpress/nav-menus/new-item.ts'
import { readLinkedObjects } from '../../wordpress/nav-menus/read-menu.ts'
import { type LinkedObjects, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import { changedItem, type ItemChanges } from '../../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { Change } from '../work/change.ts'
import { linkUrl } from './item-links.ts'
import { findClassesFault, type ItemTree, MAX_LEVELS } from './item-tree.ts'
import { withLinkedBy } from './linked-objects.ts'
import { MenuContents } from './menu-contents.ts'
import { lockWholeTarget, type MenuTarget } from './menu-target.ts'
import {
  assertSingleItem,
  findTooLong,
  type ResolvedItem,
  type ResolvedTree,
  resolveTree,
  SINGLE_ITEM_AT,
  storedTitle,
  titleDefaults,
} from './resolve-tree.ts'
import { saveMenu } from './save-menu.ts'
import { languagesOf, MENU_CHANGE, type WriteContext } from './write-context.ts'

/** The texts to change; absent ones stay. */
type TextUpdate = {
  readonly [Name in 'title' | 'target' | 'classes' | 'xfn' | 'attrTitle' | 'description']?:
    | string
    | undefined
}

/** The fields to change; absent fields stay. */
type ItemUpdate = TextUpdate & {
  /** A tree of one item with the new link. */
  readonly link?: ItemTree | undefined
  /** Id of the new parent item, 0 for the top level. */
  readonly parent?: number | undefined
}

type UpdatedItem = {
  readonly menu: Menu
  readonly before: MenuItem
  readonly after: MenuItem
  readonly change: Change
}

/**
 * Changes an item, or moves it with its descendants to the end of another level.
 * @throws AppError `item_not_found`, `bad_parent`, `bad_parent`, and those of `assertSingleItem` and `lockTarget`
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
    lockWholeTarget(tx, site, target, languagesOf(writing)),
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
  const linked = tree && resolved && !isLinked(before, tree) ? linkIn(resolved) : undefined
  const changes = {
    ...changesOf(before, { ...texts, linked }, objects, context, SINGLE_ITEM_AT),
    ...(parent === undefined || parent === before.parent ? {} : { parent }),
  }
  if (changes.parent !== undefined) moveItem(contents, before.id, changes.parent)
  const [storable = changes] = await storableItems(tx, site, [changes])
  contents.set(changedItem(own, storable))
  const order = contents.orderOf(itemId)
  const saved = await saveMenu(tx, site, stored, contents.items(), context)
  const linkedNow = withLinkedBy(objects, changes.link ? [{ link: changes.link }] : [])
  const after = setUpItem(saved[order - 1] ?? own, order, linkedNow)
  return { menu, before, after, change: MENU_CHANGE }
}

/**
 * The fields that an update changes, without the parent. A field that is sent as it was read stays as stored.
 * @param linked the item with its new link, if that differs
 * @param at position of the item in the sent tree
 * @throws AppError `bad_items`
 */
export function changesOf(
  item: MenuItem,
  {
    linked,
    title,
    target,
    classes,
    xfn,
    attrTitle,
    description: sentDescription,
  }: TextUpdate & { readonly linked: ResolvedItem | undefined },
  objects: LinkedObjects,
  context: WriteContext,
  at: string,
): ItemChanges {
  const stored = titleOf(item, { title, linked }, objects, context)
  const tooLong = findTooLong(stored ?? '', at)
  if (tooLong) throw errorOf('bad_items', { errors: [tooLong] })
  const hasNewClasses = classes !== undefined && classes !== item.classes.join(' ')
  const fault = hasNewClasses ? findClassesFault(classes) : undefined
  if (fault !== undefined) {
    const errors = [{ at, reason: 'bad_classes', message: fault }]
    throw errorOf('bad_items', { errors })
  }
  const filtered = (text: string): string => (context.unfilteredHtml ? text : kses(text))
  const description = sentDescription === ' ' ? '' : sentDescription
  return {
    ...(linked ? { link: linked.link } : {}),
    ...(stored === undefined ? {} : { title: stored }),
    ...(target === undefined || target === item.target ? {} : { target: menuItemTarget(target) }),
    ...(hasNewClasses ? { classes: menuItemClasses(classes) } : {}),
    ...(xfn === undefined || xfn === item.xfn ? {} : { xfn: menuItemClasses(xfn).join(' ') }),
    ...(attrTitle === undefined || attrTitle === item.attrTitle
      ? {}
      : { attrTitle: filtered(attrTitle) }),
    ...(description === undefined || description === item.description
      ? {}
      : { description: filtered(description) }),
  }
}

/** Whether an item has this link already. An item on a page is read with the page, other items with their URL, which may be ''. */
function isLinked(item: MenuItem, { items: [sent], problems }: ItemTree): boolean {
  if (sent?.page !== undefined) return item.valid && sent.page === item.page
  const isAddress = problems.every(({ reason }) => reason === 'target_required')
  return isAddress && item.page === null && (sent?.url ?? '') === item.url
}

/** The title to store; undefined if the title stays. */
function titleOf(
  item: MenuItem,
  {
    title,
    linked,
  }: { readonly title: string | undefined; readonly linked: ResolvedItem | undefined },
  objects: LinkedObjects,
  { links, unfilteredHtml }: WriteContext,
): string | undefined {
  if (!linked && title === item.title) return undefined
  const label = title ?? (linked && labelToKeep(links, item, linked))
  if (label === undefined) return undefined
  const defaults = linked
    ? titleDefaults(linked.link)
    : {
        original: originalTitle(item, objects),
        address: item.type === 'custom' ? item.url : undefined,
      }
  const isUnchanged = label === item.ownTitle
  const stored = storedTitle(label, { ...defaults, unfilteredHtml, isUnchanged })
  return stored === item.ownTitle || (isUnchanged && !linked) ? undefined : stored
}

/** @throws AppError those of `assertSingleItem` */
function linkIn(resolved: ResolvedTree): ResolvedItem | undefined {
  assertSingleItem(resolved)
  return resolved.items[0]
}

/**
 * The label of an item whose link changes and whose title was not sent: the visible label, unless that is the default label of a custom
 * link, its URL.
 */
function labelToKeep(
  { home }: LinkSettings,
  item: MenuItem,
  { link, title }: ResolvedItem,
): string {
  const hasDefaultLabel = item.type === 'custom' && linkUrl(home, item.ownTitle) === item.url
  const own = hasDefaultLabel ? '' : item.ownTitle
  if (link.type !== 'custom') return own
  return own || (item.type === 'custom' ? title : item.title)
}

/** @throws AppError `item_not_found` for the parent; `bad_parent`; `bad_parent` */
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

/** The title of the object that an item links, see `linkedTitle`; undefined for a custom link, an archive, and a missing object. */
function originalTitle(
  { type, object, objectId }: MenuItem,
  { posts, terms }: LinkedObjects,
): string | undefined {
  if (type === 'post_type') {
    const post = posts.get(objectId)
    return post && (post.title || untitled(objectId))
  }
  if (type !== 'taxonomy') return undefined
  const term = terms.get(`${object} ${objectId}`)
  return term && (term.name || untitled(objectId))
}
