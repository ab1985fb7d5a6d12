import { readRows, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { PostDate } from '../dates.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/cache-keys.ts'
import { deletePostMeta, setPostsMeta } from '../postmeta.ts'
import { type MenuItem, storedClasses, storedDescription } from './menu-item.ts'
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
  readonly ID: number
  readonly post_title: string
  readonly post_content: string
  readonly post_excerpt: string
  readonly post_status: string
  readonly post_date: string
  readonly post_parent: number
}

/** What changes of an item. */
export type ChangedItem = { readonly item: MenuItem; readonly changes: ItemChanges }

/**
 * Updates items as WordPress does on every save (wp_update_nav_menu_item, nav-menu.php): the local date becomes the current time, while
 * the GMT date, slug, guid and author stay. Items without changes are left alone. The caller has locked the menu.
 */
export async function updateMenuItems(
  tx: Tx,
  site: Site,
  wanted: readonly ChangedItem[],
  moment: PostDate,
): Promise<void> {
  const changed = wanted.filter(({ changes }) => Object.keys(changes).length > 0)
  if (changed.length === 0) return
  const storable = await storableItems(
    tx,
    site,
    changed.map(({ changes }) => changes),
  )
  const updates = changed.map(({ item }, index) => ({ item, changes: storable[index] ?? {} }))
  const ids = updates.map(({ item }) => item.id)
  const objects = updates.flatMap(({ item, changes }) =>
    changes.link || item.type !== 'post_type' ? [] : [item.objectId],
  )
  const metas = new Map<string, Map<number, string>>()
  for (const { item, changes } of updates)
    for (const [key, value] of changedMeta(item.id, changes))
      metas.set(key, (metas.get(key) ?? new Map()).set(item.id, value))
  const [rows, parents] = await Promise.all([
    readItemPosts(tx, site, ids),
    readParents(tx, site, objects),
    ...[...metas].map(([key, values]) => setPostsMeta(tx, site, key, values)),
  ])
  await deletePostMeta(tx, site, ids, '_menu_item_orphaned')
  const relinked = updates.filter(({ changes }) => changes.link && !isSwitcher(changes))
  await deletePostMeta(
    tx,
    site,
    relinked.map(({ item }) => item.id),
    SWITCHER_META_KEY,
  )
  for (const { item, changes } of updates) {
    const post = rows.get(item.id)
    if (!post) throw new Error(`menu item ${item.id} has no post`)
    updatePost(tx, site, post, { item, changes }, parents.get(item.objectId), moment)
  }
  tx.invalidate(menuItemKeys(site, ids))
  const published = [...rows.values()].filter(({ post_status }) => post_status === 'publish')
  await recordOldDates(tx, site, published, moment)
}

function updatePost(
  tx: Tx,
  { tables: { posts } }: Site,
  post: ItemPost,
  { item, changes }: ChangedItem,
  objectParent: number | undefined,
  moment: PostDate,
): void {
  // The `post_parent` of an item is the parent of the page it links, not its parent in the menu.
  const parent = changes.link ? linkedParent(changes.link) : objectParent
  const title = changes.title ?? post.post_title
  const description = changes.description ?? storedDescription(post)
  tx.later(
    `UPDATE :posts: SET post_title = :title, post_content = :content, post_excerpt = :excerpt, post_parent = :parent,
        post_date = :local, post_modified = :local, post_modified_gmt = :gmt
      WHERE ID = :id`,
    {
      posts,
      id: post.ID,
      title,
      content: itemContent(changes.link?.type ?? item.type, { title, description }),
      excerpt: changes.attrTitle ?? post.post_excerpt,
      parent: parent ?? post.post_parent,
      ...moment,
    },
  )
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

async function readItemPosts(
  tx: Tx,
  { tables: { posts } }: Site,
  ids: readonly number[],
): Promise<Map<number, ItemPost>> {
  const rows = await readRows<ItemPost>(
    tx,
    'SELECT ID, post_title, post_content, post_excerpt, post_status, post_date, post_parent FROM :posts: WHERE ID IN (:ids)',
    { posts, ids: [...ids] },
  )
  return new Map(rows.map((row) => [row.ID, row]))
}

async function readParents(
  tx: Tx,
  { tables: { posts } }: Site,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await readRows<Pick<ItemPost, 'ID' | 'post_parent'>>(
    tx,
    'SELECT ID, post_parent FROM :posts: WHERE ID IN (:ids)',
    { posts, ids: [...ids] },
  )
  return new Map(rows.map(({ ID, post_parent }) => [ID, post_parent]))
}

/** WordPress treats the new date as a changed permalink and records the previous day (wp_check_for_changed_dates, post.php). */
async function recordOldDates(
  tx: Tx,
  { tables: { postmeta } }: Site,
  before: readonly ItemPost[],
  { local }: PostDate,
): Promise<void> {
  const newDay = dayOf(local)
  const moved = before.filter(({ post_date }) => dayOf(post_date) !== newDay)
  if (moved.length === 0) return
  const key = '_wp_old_date'
  const ids = moved.map(({ ID }) => ID)
  const rows = await readRows<{ post_id: number; meta_value: string }>(
    tx,
    'SELECT post_id, meta_value FROM :postmeta: WHERE post_id IN (:ids) AND meta_key = :key',
    { postmeta, ids, key },
  )
  const known = new Set(rows.map(({ post_id, meta_value }) => `${post_id} ${meta_value}`))
  const added = moved
    .filter(({ ID, post_date }) => !known.has(`${ID} ${dayOf(post_date)}`))
    .map(({ ID, post_date }) => ({ post_id: ID, meta_key: key, meta_value: dayOf(post_date) }))
  await storeRows(tx, [{ table: postmeta, rows: added }])
  const returned = ids.filter((id) => known.has(`${id} ${newDay}`))
  if (returned.length > 0)
    tx.later(
      'DELETE FROM :postmeta: WHERE post_id IN (:returned) AND meta_key = :key AND meta_value = :newDay',
      { postmeta, returned, key, newDay },
    )
}

const dayOf = (date: string): string => date.slice(0, 10)

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
