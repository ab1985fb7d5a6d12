import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { DomainError } from '../errors.ts'
import { menuItemClasses, menuItemTarget } from '../wordpress/formatting/menu-texts.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import { untitled } from '../wordpress/nav-menus/new-item.ts'
import { linkItems, readStoredMenu, type StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import { readTerms } from '../wordpress/nav-menus/read-terms.ts'
import { type ItemChanges, updateMenuItem } from '../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readPosts } from '../wordpress/pages/posts.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import type { Change } from '../work/change.ts'
import { linkUrl } from './item-links.ts'
import { type ItemTree, isShortEnough, MAX_LEVELS, TOO_MANY_CLASSES } from './item-tree.ts'
import { MenuContents } from './menu-contents.ts'
import { recordMenu } from './menu-history.ts'
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
import { languagesOf, MENU_CHANGE, type WriteContext } from './write-context.ts'

/** The fields to change; absent fields stay. */
type ItemUpdate = {
  /** A tree of one item with the new link. */
  readonly link?: ItemTree
  readonly title?: string
  readonly target?: string
  readonly classes?: string
  /** Id of the new parent item, 0 for the top level. */
  readonly parent?: number
}

type UpdatedItem = {
  readonly menu: Menu
  readonly before: MenuItem
  readonly after: MenuItem
  readonly change: Change
}

/**
 * Changes an item, or moves it with its descendants to the end of another level.
 * @throws DomainError `item_not_found`, `item_below_itself`, `item_too_deep`, and those of `assertSingleItem` and `lockTarget`
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
  const { links, moment } = context
  const { menu } = stored
  const contents = new MenuContents(stored.items)
  const before = await getItem(tx, site, links, stored, itemId)
  const changes = await changesOf(tx, site, before, { ...update, resolved }, context)
  if (changes.parent !== undefined) moveItem(contents, before.id, changes.parent)
  if (Object.keys(changes).length > 0) await updateMenuItem(tx, site, before, changes, moment)
  contents.saveOrder(tx, site)
  const updated = (await readStoredMenu(tx, site, menu.id)) ?? stored
  await recordMenu(tx, site, { action: 'replaced', before: stored, after: updated })
  const after = await getItem(tx, site, links, updated, itemId)
  return { menu, before, after, change: MENU_CHANGE }
}

/** @throws DomainError `item_not_found` */
async function getItem(
  tx: Tx,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
  id: number,
): Promise<MenuItem> {
  const { items } = await linkItems(tx, site, links, stored)
  const item = items.find((one) => one.id === id)
  if (item) return item
  throw new DomainError('item_not_found', { id })
}

/** The fields that an update changes. A field that is sent as it was read stays as stored. */
async function changesOf(
  tx: Tx,
  site: Site,
  item: MenuItem,
  {
    link: tree,
    resolved,
    title,
    target,
    classes,
    parent,
  }: ItemUpdate & { readonly resolved: ResolvedTree | undefined },
  context: WriteContext,
): Promise<ItemChanges> {
  const linked = tree && resolved && !isLinked(item, tree) ? linkIn(resolved) : undefined
  const stored = await titleOf(tx, site, item, { title, linked }, context)
  assertTitle(stored)
  const hasNewClasses = classes !== undefined && classes !== item.classes.join(' ')
  if (hasNewClasses && !isShortEnough(classes)) rejectItem('bad_classes', TOO_MANY_CLASSES)
  return {
    ...(linked ? { link: linked.link } : {}),
    ...(stored === undefined ? {} : { title: stored }),
    ...(target === undefined || target === item.target ? {} : { target: menuItemTarget(target) }),
    ...(hasNewClasses ? { classes: menuItemClasses(classes) } : {}),
    ...(parent === undefined || parent === item.parent ? {} : { parent }),
  }
}

/** Whether an item has this link already. An item on a page is read with the page, other items with their URL, which may be ''. */
function isLinked(item: MenuItem, { items: [sent], problems }: ItemTree): boolean {
  if (sent?.page !== undefined) return item.valid && sent.page === item.page
  const isAddress = problems.every(({ reason }) => reason === 'target_required')
  return isAddress && item.page === null && (sent?.url ?? '') === item.url
}

/** The title to store; undefined if the title stays. */
async function titleOf(
  tx: Tx,
  site: Site,
  item: MenuItem,
  { title, linked }: { readonly title: string | undefined; readonly linked?: ResolvedItem },
  { links, unfilteredHtml }: WriteContext,
): Promise<string | undefined> {
  if (!linked && title === item.title) return undefined
  const label = title ?? (linked && labelToKeep(links, item, linked))
  if (label === undefined) return undefined
  const defaults = linked
    ? titleDefaults(linked.link)
    : {
        original: await findOriginalTitle(tx, site, links, item),
        address: item.type === 'custom' ? item.url : undefined,
      }
  return storedTitle(label, {
    ...defaults,
    unfilteredHtml,
    isUnchanged: label === item.ownTitle,
  })
}

/** @throws DomainError `items_malformed` */
function assertTitle(title = ''): void {
  const tooLong = findTooLong(title, SINGLE_ITEM_AT)
  if (tooLong) rejectItem(tooLong.reason, tooLong.message)
}

/** @throws DomainError `items_malformed` */
function rejectItem(reason: string, message: string): never {
  throw new DomainError('items_malformed', { errors: [{ at: SINGLE_ITEM_AT, reason, message }] })
}

/** @throws DomainError those of `assertSingleItem` */
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

/** @throws DomainError `item_not_found` for the parent; `item_below_itself`; `item_too_deep` */
function moveItem(contents: MenuContents, id: number, parent: number): void {
  const { hierarchy } = contents
  contents.assertParent(parent)
  if (hierarchy.branch(id).includes(parent)) throw new DomainError('item_below_itself', {})
  if (hierarchy.depth(parent) + hierarchy.height(id) > MAX_LEVELS)
    throw new DomainError('item_too_deep', { levels: MAX_LEVELS })
  hierarchy.append(id, parent)
}

/** The title of the object that an item links, see `linkedTitle`; undefined for a custom link, an archive, and a missing object. */
async function findOriginalTitle(
  db: Db,
  site: Site,
  { languages }: LinkSettings,
  { type, object, objectId }: MenuItem,
): Promise<string | undefined> {
  if (type === 'post_type') {
    const posts = await readPosts(db, site, languages, { ids: [objectId] })
    const post = posts.get(objectId)
    return post && (post.title || untitled(objectId))
  }
  if (type !== 'taxonomy') return undefined
  const terms = await readTerms(db, site, languages, { ids: [objectId] })
  const term = terms.find(({ id, taxonomy }) => id === objectId && taxonomy === object)
  return term && (term.name || untitled(objectId))
}
