import type { Tx } from '../../db/transaction.ts'
import type { Moment } from '../dates.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/cache-keys.ts'
import { deletePostMeta, setPostMeta } from '../postmeta.ts'
import { type MenuItem, storedClasses } from './menu-item.ts'
import {
  type ItemLink,
  itemContent,
  linkedParent,
  linkMeta,
  type MetaEntry,
  storableItems,
} from './new-item.ts'

/** What changes of an item; what is left out stays. */
export type ItemChanges = {
  readonly link?: ItemLink
  /** As stored, see `ownTitle`. */
  readonly title?: string
  readonly target?: string
  readonly classes?: readonly string[]
  /** Id of the parent item, 0 for the top. */
  readonly parent?: number
}

type ItemPost = {
  readonly post_title: string
  readonly post_content: string
  readonly post_status: string
  readonly post_date: string
  readonly post_parent: number
}

/**
 * Writes one item anew, as WordPress does on every save (wp_update_nav_menu_item, nav-menu.php): its local date moves to now and its GMT
 * date stays; slug, address and author stay too. The caller holds the menu.
 */
export async function updateMenuItem(
  tx: Tx,
  site: Site,
  item: MenuItem,
  given: ItemChanges,
  moment: Moment,
): Promise<void> {
  const [changes = given] = await storableItems(tx, site, [given])
  const { posts } = site.tables
  const post: ItemPost = await tx
    .sql(posts)
    .where({ ID: item.id })
    .first('post_title', 'post_content', 'post_status', 'post_date', 'post_parent')
  for (const [key, value] of changedMeta(item.id, changes))
    await setPostMeta(tx, site, item.id, key, value)
  const stale = [
    '_menu_item_orphaned',
    ...(changes.link && !isSwitcher(changes) ? [SWITCHER_META_KEY] : []),
  ]
  for (const key of stale) await deletePostMeta(tx, site, [item.id], key)

  const title = changes.title ?? post.post_title
  const type = changes.link?.type ?? item.type
  const description = post.post_content.trim() === '' ? '' : post.post_content
  await tx
    .sql(posts)
    .where({ ID: item.id })
    .update({
      post_title: title,
      post_content: itemContent(type, { title, description }),
      post_parent: await parentOfObject(tx, site, item, changes, post),
      post_date: moment.local,
      post_modified: moment.local,
      post_modified_gmt: moment.gmt,
    })
  tx.invalidate(menuItemKeys(site, [item.id]))
  if (post.post_status === 'publish') await recordOldDate(tx, site, item.id, post.post_date, moment)
}

const SWITCHER_META_KEY = '_pll_menu_item'

function isSwitcher({ link }: ItemChanges): boolean {
  return link !== undefined && linkMeta(link, 0).some(([key]) => key === SWITCHER_META_KEY)
}

function changedMeta(id: number, { link, target, classes, parent }: ItemChanges): MetaEntry[] {
  return [
    ...(link ? linkMeta(link, id) : []),
    ...(parent === undefined ? [] : [['_menu_item_menu_item_parent', String(parent)] as const]),
    ...(target === undefined ? [] : [['_menu_item_target', target] as const]),
    ...(classes === undefined ? [] : [['_menu_item_classes', storedClasses(classes)] as const]),
  ]
}

/** An item bears the parent of the page that it links, and not that of its place in the menu. */
async function parentOfObject(
  tx: Tx,
  site: Site,
  item: MenuItem,
  { link }: ItemChanges,
  post: ItemPost,
): Promise<number> {
  if (link) return linkedParent(link) ?? post.post_parent
  if (item.type !== 'post_type') return post.post_parent
  const object: { post_parent: number } | undefined = await tx
    .sql(site.tables.posts)
    .where({ ID: item.objectId })
    .first('post_parent')
  return object?.post_parent ?? post.post_parent
}

/** WordPress takes the moved date for a changed address and remembers the day before (wp_check_for_changed_dates, post.php). */
async function recordOldDate(
  tx: Tx,
  site: Site,
  id: number,
  before: string,
  { local }: Moment,
): Promise<void> {
  const [oldDay, newDay] = [before.slice(0, 10), local.slice(0, 10)]
  if (oldDay === newDay) return
  const { postmeta } = site.tables
  const key = { post_id: id, meta_key: '_wp_old_date' }
  const days: string[] = await tx.sql(postmeta).where(key).pluck('meta_value')
  if (!days.includes(oldDay)) await tx.sql(postmeta).insert({ ...key, meta_value: oldDay })
  if (days.includes(newDay))
    await tx
      .sql(postmeta)
      .where({ ...key, meta_value: newDay })
      .delete()
}

/** `FIELD` looks an id up from the front of its list, so that the work grows with the square of a batch. */
const ORDER_BATCH_SIZE = 1000

/**
 * Numbers items from 1 in this order, and touches nothing else of them, as WP-CLI does where others move aside.
 * @param from index of the first whose number is not right yet
 */
export async function setItemOrder(
  tx: Tx,
  site: Site,
  ids: readonly number[],
  from = 0,
): Promise<void> {
  const { sql } = tx
  tx.invalidate(menuItemKeys(site, ids.slice(from)))
  for (let start = from; start < ids.length; start += ORDER_BATCH_SIZE) {
    const batch = ids.slice(start, start + ORDER_BATCH_SIZE)
    const places = batch.map(() => '?').join(', ')
    await sql(site.tables.posts)
      .whereIn('ID', batch)
      .update({ menu_order: sql.raw(`? + FIELD(??, ${places})`, [start, 'ID', ...batch]) })
  }
}
