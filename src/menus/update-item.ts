import type { Change } from '../change.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import { menuItemClasses, menuItemTarget } from '../wordpress/formatting/menu-texts.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import { linkedTitle, untitled } from '../wordpress/nav-menus/new-item.ts'
import { readTerms } from '../wordpress/nav-menus/read-terms.ts'
import { type ItemChanges, updateMenuItem } from '../wordpress/nav-menus/update-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readPosts } from '../wordpress/pages/posts.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { linkUrl } from './item-links.ts'
import { type ItemTree, isShortEnough, MAX_LEVELS, TOO_MANY_CLASSES } from './item-tree.ts'
import { type MenuContents, readContents } from './menu-contents.ts'
import { lockTarget, type MenuTarget } from './menu-target.ts'
import {
  assertSingleItem,
  findTooLong,
  type ResolvedItem,
  resolveTree,
  SINGLE_ITEM_AT,
  storedTitle,
} from './resolve-tree.ts'
import { MENU_CHANGE, type WriteContext } from './write-context.ts'

/** What was sent of an item; what is left out stays. */
export type ItemUpdate = {
  /** A tree of one item that links something else. */
  readonly link?: ItemTree
  readonly title?: string
  readonly target?: string
  readonly classes?: string
  /** Id of the item under which it is to stand, 0 for the top. */
  readonly parent?: number
}

export type UpdatedItem = {
  readonly menu: Menu
  readonly before: MenuItem
  readonly after: MenuItem
  readonly change: Change
}

/**
 * Changes an item in its place, or moves it with its branch to the end of another level (contract, section 4.2.8).
 * @throws AppError `item_not_found`, `bad_parent`, and what `assertSingleItem` and `lockTarget` throw
 */
export async function updateItem(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  itemId: number,
  update: ItemUpdate,
  authorship: WriteContext,
): Promise<UpdatedItem> {
  const { links, moment } = authorship
  const menu = await lockTarget(tx, site, links.languages, target)
  const contents = await readContents(tx, site, links, menu)
  const before = contents.get(itemId)
  const changes = await changesOf(tx, site, before, update, authorship)
  if (changes.parent !== undefined) moveItem(contents, before.id, changes.parent)
  if (Object.keys(changes).length > 0) await updateMenuItem(tx, site, before, changes, moment)
  await contents.saveOrder(tx, site)
  const after = (await readContents(tx, site, links, menu)).get(itemId)
  return { menu, before, after, change: MENU_CHANGE }
}

/** What an update changes: a field that is sent as it was read stays as it is stored. */
async function changesOf(
  tx: Tx,
  site: Site,
  item: MenuItem,
  { link: tree, title, target, classes, parent }: ItemUpdate,
  authorship: WriteContext,
): Promise<ItemChanges> {
  const linked =
    tree && !isLinked(item, tree) ? await resolveLink(tx, site, tree, authorship) : undefined
  const stored = await titleOf(tx, site, item, { title, linked }, authorship)
  assertTitle(stored)
  const isNew = classes !== undefined && classes !== item.classes.join(' ')
  if (isNew && !isShortEnough(classes)) rejectItem('bad_classes', TOO_MANY_CLASSES)
  return {
    ...(linked ? { link: linked.link } : {}),
    ...(stored === undefined ? {} : { title: stored }),
    ...(target === undefined || target === item.target ? {} : { target: menuItemTarget(target) }),
    ...(isNew ? { classes: menuItemClasses(classes) } : {}),
    ...(parent === undefined || parent === item.parent ? {} : { parent }),
  }
}

/** Whether an item links this already: an item on a page is read with the page, all others with their address, which may be ''. */
function isLinked(item: MenuItem, { items: [sent], problems }: ItemTree): boolean {
  if (sent?.page !== undefined) return item.valid && sent.page === item.page
  const isAddress = problems.every(({ reason }) => reason === 'target_required')
  return isAddress && item.page === null && (sent?.url ?? '') === item.url
}

/** The title to store; undefined for one that stays. */
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
  const original = linked
    ? linkedTitle(linked.link)
    : await findOriginalTitle(tx, site, links, item)
  return storedTitle(label, original, { unfilteredHtml, isKept: label === item.ownTitle })
}

/** @throws AppError `bad_items` */
function assertTitle(title = ''): void {
  const long = findTooLong(title, SINGLE_ITEM_AT)
  if (long) rejectItem(long.reason, long.message)
}

/** @throws AppError `bad_items` */
function rejectItem(reason: string, message: string): void {
  assertSingleItem({
    items: [],
    bad: [{ at: SINGLE_ITEM_AT, reason, message }],
    unresolved: [],
    invalid: [],
  })
}

async function resolveLink(
  tx: Tx,
  site: Site,
  tree: ItemTree,
  authorship: WriteContext,
): Promise<ResolvedItem | undefined> {
  const resolved = await resolveTree(tx, site, authorship, tree)
  assertSingleItem(resolved)
  return resolved.items[0]
}

/** The label of an item that links something else now: what people read there, but for an address that was there for want of one. */
function labelToKeep(
  { home }: LinkSettings,
  item: MenuItem,
  { link, title }: ResolvedItem,
): string {
  const isCalledByAddress = item.type === 'custom' && linkUrl(home, item.ownTitle) === item.url
  const own = isCalledByAddress ? '' : item.ownTitle
  if (link.type !== 'custom') return own
  return own || (item.type === 'custom' ? title : item.title)
}

/** @throws AppError `item_not_found` for the parent; `bad_parent` where the item would stand below itself, or too deep */
function moveItem(contents: MenuContents, id: number, parent: number): void {
  const { hierarchy: arrangement } = contents
  contents.assertParent(parent)
  if (arrangement.branch(id).includes(parent)) {
    throw new AppError('bad_parent', 'An item cannot stand below itself. Name another parent.')
  }
  if (arrangement.depth(parent) + arrangement.height(id) > MAX_LEVELS) {
    throw new AppError(
      'bad_parent',
      `A menu has at most ${MAX_LEVELS} levels. Name a higher parent.`,
    )
  }
  arrangement.append(id, parent)
}

/** The title of what an item links, see `linkedTitle`; undefined for an address, an archive, and what is gone. */
export async function findOriginalTitle(
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
