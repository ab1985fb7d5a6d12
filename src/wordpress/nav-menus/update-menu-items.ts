import { readRows, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { PostDate } from '../dates.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/cache-keys.ts'
import { deletePostMeta, setPostMeta, setPostsMeta } from '../postmeta.ts'
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
  readonly xfn?: string
  readonly attrTitle?: string
  /** As stored, HTML. */
  readonly description?: string
  /** Id of the parent item, 0 for the top. */
  readonly parent?: number
}

type ItemPost = {
  readonly post_title: string
  readonly post_content: string
  readonly post_excerpt: string
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
  const [post, object] = await Promise.all([
    getItemPost(tx, site, item.id),
    changes.link || item.type !== 'post_type' ? undefined : readParent(tx, site, item.objectId),
    ...changedMeta(item.id, changes).map(([key, value]) =>
      setPostMeta(tx, site, item.id, key, value),
    ),
  ])
  const stale = [
    '_menu_item_orphaned',
    ...(changes.link && !isSwitcher(changes) ? [SWITCHER_META_KEY] : []),
  ]
  for (const key of stale) await deletePostMeta(tx, site, [item.id], key)

  // The `post_parent` of an item is the parent of the page it links, not its parent in the menu.
  const parent = changes.link ? linkedParent(changes.link) : object?.post_parent
  const title = changes.title ?? post.post_title
  const type = changes.link?.type ?? item.type
  const stored = post.post_content.trim() === '' ? '' : post.post_content
  const description = changes.description ?? stored
  tx.later(
    `UPDATE :posts: SET post_title = :title, post_content = :content, post_excerpt = :excerpt, post_parent = :parent,
        post_date = :local, post_modified = :local, post_modified_gmt = :gmt
      WHERE ID = :id`,
    {
      posts,
      id: item.id,
      title,
      content: itemContent(type, { title, description }),
      excerpt: changes.attrTitle ?? post.post_excerpt,
      parent: parent ?? post.post_parent,
      ...moment,
    },
  )
  tx.invalidate(menuItemKeys(site, [item.id]))
  if (post.post_status === 'publish') await recordOldDate(tx, site, item.id, post.post_date, moment)
}

const SWITCHER_META_KEY = '_pll_menu_item'

function isSwitcher({ link }: ItemChanges): boolean {
  return link !== undefined && linkMeta(link, 0).some(([key]) => key === SWITCHER_META_KEY)
}

function changedMeta(id: number, { link, target, classes, xfn, parent }: ItemChanges): MetaEntry[] {
  return [
    ...(link ? linkMeta(link, id) : []),
    ...(parent === undefined ? [] : [['_menu_item_menu_item_parent', String(parent)] as const]),
    ...(target === undefined ? [] : [['_menu_item_target', target] as const]),
    ...(classes === undefined ? [] : [['_menu_item_classes', storedClasses(classes)] as const]),
    ...(xfn === undefined ? [] : [['_menu_item_xfn', xfn] as const]),
  ]
}

async function getItemPost(tx: Tx, { tables }: Site, id: number): Promise<ItemPost> {
  const [post] = await readRows<ItemPost>(
    tx,
    'SELECT post_title, post_content, post_excerpt, post_status, post_date, post_parent FROM :posts: WHERE ID = :id',
    { posts: tables.posts, id },
  )
  if (post) return post
  throw new Error(`menu item ${id} has no post`)
}

async function readParent(
  tx: Tx,
  { tables }: Site,
  id: number,
): Promise<{ readonly post_parent: number } | undefined> {
  const rows = await readRows<{ post_parent: number }>(
    tx,
    'SELECT post_parent FROM :posts: WHERE ID = :id',
    { posts: tables.posts, id },
  )
  return rows[0]
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
  if (!days.includes(oldDay))
    await storeRows(tx, [{ table: postmeta, rows: [{ ...key, meta_value: oldDay }] }])
  if (days.includes(newDay))
    await tx
      .sql(postmeta)
      .where({ ...key, meta_value: newDay })
      .delete()
}

/**
 * Moves items below other ones, in one statement for each new parent and some more. Their order does not change.
 * @param parents the id of the new parent by the id of the item; 0 for the top
 */
export async function setItemParents(
  tx: Tx,
  site: Site,
  parents: ReadonlyMap<number, number>,
  { local, gmt }: PostDate,
): Promise<void> {
  if (parents.size === 0) return
  const values = new Map([...parents].map(([id, parent]) => [id, String(parent)]))
  await setPostsMeta(tx, site, '_menu_item_menu_item_parent', values)
  const ids = [...parents.keys()]
  tx.later(
    'UPDATE :posts: SET post_modified = :local, post_modified_gmt = :gmt WHERE ID IN (:ids)',
    { posts: site.tables.posts, local, gmt, ids },
  )
  tx.invalidate(menuItemKeys(site, ids))
}

/** `FIELD` searches its list from the start, so the work per statement grows with the square of this size. */
const ORDER_BATCH_SIZE = 1000

/**
 * Numbers items from 1 in this order and changes no other column, as WP-CLI does for the items it shifts.
 * @param from index of the first item whose number is wrong
 */
export function setItemOrder(tx: Tx, site: Site, ids: readonly number[], from = 0): void {
  tx.invalidate(menuItemKeys(site, ids.slice(from)))
  for (let start = from; start < ids.length; start += ORDER_BATCH_SIZE) {
    const batch = ids.slice(start, start + ORDER_BATCH_SIZE)
    tx.later('UPDATE :posts: SET menu_order = :start + FIELD(ID, :batch) WHERE ID IN (:batch)', {
      posts: site.tables.posts,
      start,
      batch,
    })
  }
}
