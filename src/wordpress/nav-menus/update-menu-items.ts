import { inUpdates, readRows, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { PostDate } from '../dates.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/cache-keys.ts'
import { deletePostMeta, setPostsMeta } from '../postmeta.ts'
import {
  itemObjectId,
  itemType,
  type MenuItemRow,
  type StoredItem,
  storedClasses,
  storedDescription,
} from './menu-item.ts'
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

/** A stored item, and what changes of it. */
export type ChangedItem = { readonly item: StoredItem; readonly changes: ItemChanges }

/** What else WordPress keeps in the post of an item. */
type ItemPost = {
  readonly ID: number
  readonly post_date: string
  readonly post_parent: number
}

/**
 * Updates items as WordPress does on every save (wp_update_nav_menu_item, nav-menu.php): the local date becomes the current time, while
 * the GMT date, slug, guid and author stay. Items without changes are left alone. The caller has locked the menu.
 * @returns the items as they are stored then
 */
export async function updateMenuItems(
  tx: Tx,
  site: Site,
  wanted: readonly ChangedItem[],
  moment: PostDate,
): Promise<StoredItem[]> {
  const changed = wanted.filter(({ changes }) => Object.keys(changes).length > 0)
  if (changed.length === 0) return wanted.map(({ item }) => item)
  const storable = await storableItems(
    tx,
    site,
    changed.map(({ changes }) => changes),
  )
  const updates = changed.map(({ item }, index) => ({ item, changes: storable[index] ?? {} }))
  const updated = new Map(updates.map((update) => [update.item.row.ID, updatedItem(update)]))
  const ids = [...updated.keys()]
  const metas = updates.map(({ item, changes }) => ({
    item,
    metas: changedMeta(item.row.ID, changes),
  }))
  const [posts, parents] = await Promise.all([
    readItemPosts(tx, site, ids),
    readParents(
      tx,
      site,
      updates.flatMap(({ item: { meta }, changes }) =>
        changes.link || itemType(meta) !== 'post_type' ? [] : itemObjectId(meta),
      ),
    ),
    storeItemMetas(tx, site, metas),
  ])
  await deletePostMeta(tx, site, ids, '_menu_item_orphaned')
  const relinked = updates.filter(({ changes }) => changes.link && !isSwitcher(changes))
  await deletePostMeta(
    tx,
    site,
    relinked.map(({ item }) => item.row.ID),
    SWITCHER_META_KEY,
  )
  // The `post_parent` of an item is the parent of the page it links, not its parent in the menu.
  const parentOf = ({ item: { row, meta }, changes }: ChangedItem): number =>
    (changes.link ? linkedParent(changes.link) : parents.get(itemObjectId(meta))) ??
    posts.get(row.ID)?.post_parent ??
    0
  const rows = updates.map((update) => ({
    ...(updated.get(update.item.row.ID) ?? update.item).row,
    post_parent: parentOf(update),
  }))
  updatePosts(tx, site, rows, moment)
  tx.invalidate(menuItemKeys(site, ids))
  const published = rows.filter(({ post_status }) => post_status === 'publish')
  await recordOldDates(
    tx,
    site,
    published.flatMap(({ ID }) => posts.get(ID) ?? []),
    moment,
  )
  return wanted.map(({ item }) => updated.get(item.row.ID) ?? item)
}

function updatedItem({ item: { row, meta, ...others }, changes }: ChangedItem): StoredItem {
  const title = changes.title ?? row.post_title
  const description = changes.description ?? storedDescription(row)
  const newMeta = new Map([...meta, ...changedMeta(row.ID, changes)])
  if (changes.link && !isSwitcher(changes)) newMeta.delete(SWITCHER_META_KEY)
  const newRow = {
    ...row,
    post_title: title,
    post_excerpt: changes.attrTitle ?? row.post_excerpt,
    post_content: itemContent(changes.link?.type ?? itemType(meta), { title, description }),
  }
  return { row: newRow, meta: newMeta, ...others }
}

type ChangedPost = MenuItemRow & Pick<ItemPost, 'post_parent'>

function updatePosts(
  tx: Tx,
  { tables: { posts } }: Site,
  changed: readonly ChangedPost[],
  moment: PostDate,
): void {
  const lengthOf = ({ post_title, post_content, post_excerpt }: ChangedPost): number =>
    post_title.length + post_content.length + post_excerpt.length
  for (const batch of inUpdates(changed, lengthOf))
    tx.later(
      `UPDATE :posts: SET post_title = ELT(FIELD(ID, :ids), :titles), post_content = ELT(FIELD(ID, :ids), :contents),
          post_excerpt = ELT(FIELD(ID, :ids), :excerpts), post_parent = ELT(FIELD(ID, :ids), :parents),
          post_date = :local, post_modified = :local, post_modified_gmt = :gmt
        WHERE ID IN (:ids)`,
      {
        posts,
        ids: batch.map(({ ID }) => ID),
        titles: batch.map(({ post_title }) => post_title),
        contents: batch.map(({ post_content }) => post_content),
        excerpts: batch.map(({ post_excerpt }) => post_excerpt),
        parents: batch.map(({ post_parent }) => post_parent),
        ...moment,
      },
    )
}

const SWITCHER_META_KEY = '_pll_menu_item'
const PARENT_META_KEY = '_menu_item_menu_item_parent'

function isSwitcher({ link }: ItemChanges): boolean {
  return link !== undefined && linkMeta(link, 0).some(([key]) => key === SWITCHER_META_KEY)
}

function changedMeta(id: number, { link, target, classes, xfn, parent }: ItemChanges): MetaEntry[] {
  return [
    ...(link ? linkMeta(link, id) : []),
    ...(parent === undefined ? [] : [[PARENT_META_KEY, String(parent)] as const]),
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
    'SELECT ID, post_date, post_parent FROM :posts: WHERE ID IN (:ids)',
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
 * Moves items below other ones, in some statements. Their order does not change.
 * @param parents the id of the new parent of each item; 0 for the top
 * @returns the items as they are stored then
 */
export async function setItemParents(
  tx: Tx,
  site: Site,
  items: readonly StoredItem[],
  parents: readonly number[],
  { local, gmt }: PostDate,
): Promise<StoredItem[]> {
  if (items.length === 0) return []
  const moved = items.map((item, index) => ({
    item,
    metas: [[PARENT_META_KEY, String(parents[index] ?? 0)]] as const,
  }))
  await storeItemMetas(tx, site, moved)
  const ids = items.map(({ row }) => row.ID)
  tx.later(
    'UPDATE :posts: SET post_modified = :local, post_modified_gmt = :gmt WHERE ID IN (:ids)',
    { posts: site.tables.posts, local, gmt, ids },
  )
  tx.invalidate(menuItemKeys(site, ids))
  return moved.map(({ item, metas }) => ({ ...item, meta: new Map([...item.meta, ...metas]) }))
}

/** Stores meta values of items that are locked with their menu. */
async function storeItemMetas(
  tx: Tx,
  site: Site,
  changed: readonly { readonly item: StoredItem; readonly metas: readonly MetaEntry[] }[],
): Promise<void> {
  const values = new Map<string, Map<number, string>>()
  for (const { item, metas } of changed)
    for (const [key, value] of metas)
      values.set(key, (values.get(key) ?? new Map()).set(item.row.ID, value))
  const having = (key: string): ReadonlySet<number> =>
    new Set(changed.flatMap(({ item: { row, meta } }) => (meta.has(key) ? row.ID : [])))
  await Promise.all(
    [...values].map(([key, ofKey]) => setPostsMeta(tx, site, key, ofKey, having(key))),
  )
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
