import type { Tx } from '../../db/transaction.ts'
import type { PostDate } from '../dates.ts'
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

/** The fields of an item that change; absent fields stay. */
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
 * Updates one item as WordPress does on every save (wp_update_nav_menu_item, nav-menu.php): the local date becomes the current time, while
 * the GMT date, slug, guid and author stay. The caller has locked the menu.
 */
export async function updateMenuItem(
  tx: Tx,
  site: Site,
  item: MenuItem,
  wanted: ItemChanges,
  moment: PostDate,
): Promise<void> {
  const [changes = wanted] = await storableItems(tx, site, [wanted])
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

/** The `post_parent` of an item is the parent of the page it links, not its parent in the menu. */
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

/** WordPress treats the new date as a changed permalink and records the previous day (wp_check_for_changed_dates, post.php). */
async function recordOldDate(
  tx: Tx,
  site: Site,
  id: number,
  before: string,
  { local }: PostDate,
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

/** `FIELD` searches its list from the start, so the work per statement grows with the square of this size. */
const ORDER_BATCH_SIZE = 1000

/**
 * Numbers items from 1 in this order and changes no other column, as WP-CLI does for the items it shifts.
 * @param from index of the first item whose number is wrong
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
    const placeholders = batch.map(() => '?').join(', ')
    await sql(site.tables.posts)
      .whereIn('ID', batch)
      .update({ menu_order: sql.raw(`? + FIELD(??, ${placeholders})`, [start, 'ID', ...batch]) })
  }
}
