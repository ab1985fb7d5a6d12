import type { Tx } from '../../db/transaction.ts'
import { AppError, errorOf } from '../../host/errors.ts'
import { changedItem, storableItems } from '../../wordpress/nav-menus/item-content.ts'
import {
  ITEM_TEXTS,
  type ItemTextName,
  type MenuItem,
} from '../../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { readLinkedObjects } from '../../wordpress/nav-menus/read-menu.ts'
import { type LinkedObjects, linkedBy, setUpItem } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { Change } from '../work/change.ts'
import type { WantedItem } from './compare-items.ts'
import { linkUrl } from './item-links.ts'
import {
  findClassesFault,
  type ItemFields,
  type ItemTree,
  MAX_LEVELS,
  type SentTexts,
} from './item-tree.ts'
import { MenuContents } from './menu-contents.ts'
import { lockWholeTarget, type MenuTarget } from './menu-target.ts'
import {
  assertSingleItem,
  cleanText,
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
  readonly change: Change
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
  const wanted = { ...stored, items: contents.items() }
  const saved = await saveMenu(tx, site, stored, wanted, context)
  const linkedNow = linkedBy(links, linked ? [linked] : [], objects)
  const after = setUpItem(saved.items[order - 1] ?? own, order, linkedNow)
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
  { linked, title, ...sent }: SentTexts & { readonly linked: ResolvedItem | undefined },
  objects: LinkedObjects,
  context: WriteContext,
  at: string,
): WantedItem['content'] {
  const stored = titleOf(item, { title, linked }, objects, context)
  const tooLong = findTooLong(stored ?? '', at)
  if (tooLong) throw errorOf('bad_items', { errors: [tooLong] })
  const before = { ...item, classes: item.classes.join(' ') }
  const texts: { [Name in ItemTextName]?: string } = {}
  for (const name of ITEM_TEXTS) {
    const text = sent[name]
    if (text === undefined || text === before[name]) continue
    const message = name === 'classes' ? findClassesFault(text) : undefined
    const errors = [{ at, reason: 'bad_classes', message }]
    if (message !== undefined) throw errorOf('bad_items', { errors })
    const cleaned = cleanText(name, text, context.unfilteredHtml)
    if (cleaned !== before[name]) texts[name] = cleaned
  }
  return {
    ...(linked ? { link: linked.link } : {}),
    ...(stored === undefined ? {} : { title: stored }),
    ...texts,
  }
}

/** Whether an item has this link already. An address that is missing is '', which an item of another program may have. */
function isLinked(item: MenuItem, { items: [sent], problems }: ItemTree): boolean {
  if (!sent || problems.some(({ reason }) => reason !== 'target_required')) return false
  return !hasOtherLink(item, sent.page === undefined ? { url: '', ...sent } : sent)
}

/** Whether a link was sent that is not the one that an item has. An item on a page is read with the page, other items with their URL. */
export function hasOtherLink(item: MenuItem, { page, url, object }: ItemFields): boolean {
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
        original: isLinkKnown(item, objects) ? item.linkedTitle : undefined,
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

/** Whether an item links a post or a term that exists. Only PHP knows the title of an archive. */
const isLinkKnown = (item: MenuItem, { posts, terms }: LinkedObjects): boolean =>
  item.type === 'post_type'
    ? posts.has(item.objectId)
    : item.type === 'taxonomy' && terms.has(`${item.object} ${item.objectId}`)
