import { inUpdates, readRows, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { PostDate } from '../dates.ts'
import type { Site } from '../network/site.ts'
import { readPostColumns } from '../pages/posts.ts'
import { deletePostMeta, setPostsMeta } from '../postmeta.ts'
import { noteItems, noteLinks } from '../written-rows.ts'
import {
  ITEM_META_KEYS,
  type MenuItemRow,
  PARENT_META_KEY,
  type SavedItem,
  type StoredItem,
} from './menu-item.ts'
import { objectKey, readObjectParents } from './object-parents.ts'

/** An item before and after a write. */
type ItemWrite = { readonly before: StoredItem; readonly after: SavedItem }

/**
 * Writes what differs of items. An item with another text or link is written as WordPress does on every save (wp_update_nav_menu_item, nav-menu.php):
 * the local date becomes the current time, while the GMT date, slug, guid and author stay. One that only has another parent gets that, and a new
 * modification time; one that only comes at another position gets its number, as WP-CLI does for the items it shifts. The caller has locked the menu.
 */
export async function updateMenuItems(
  tx: Tx,
  site: Site,
  items: readonly ItemWrite[],
  moment: PostDate | undefined,
): Promise<void> {
  const differs = items.map(({ before, after }) => differenceOf(before, after))
  const having = (difference: ItemDifference) =>
    items.filter((_, index) => differs[index]?.has(difference))
  const [saved, moved] = [having('content'), having('parent')]
  if (saved.length + moved.length > 0) {
    if (!moment) throw new Error('items are written without a time')
    const [posts, parents] = await Promise.all([
      readPostColumns<ItemPost>(tx, site, idsOf(saved), 'post_date, post_parent'),
      readObjectParents(
        tx,
        site,
        saved.flatMap(({ after }) => (after.postParent === undefined ? after : [])),
      ),
      storeItemMetas(tx, site, [...new Set([...saved, ...moved])]),
    ])
    await saveItems(tx, site, saved, posts, parents, moment)
    const others = new Set(saved)
    setModified(tx, site, idsOf(moved.filter((write) => !others.has(write))), moment)
  }
  setItemOrder(tx, site, having('order'))
}

const idsOf = (items: readonly ItemWrite[]): number[] => items.map(({ before }) => before.row.ID)

type ItemDifference = 'content' | 'parent' | 'order'

const TEXTS = ['post_title', 'post_excerpt', 'post_content', 'post_status'] as const

function differenceOf(before: StoredItem, after: StoredItem): ReadonlySet<ItemDifference> {
  const found = new Set<ItemDifference>()
  if (before.row !== after.row) {
    if (before.row.menu_order !== after.row.menu_order) found.add('order')
    if (TEXTS.some((column) => before.row[column] !== after.row[column])) found.add('content')
  }
  if (before.meta !== after.meta)
    for (const key of ITEM_META_KEYS)
      if (before.meta.get(key) !== after.meta.get(key))
        found.add(key === PARENT_META_KEY ? 'parent' : 'content')
  return found
}

/** What else WordPress keeps in the post of an item. */
type ItemPost = {
  readonly ID: number
  readonly post_date: string
  readonly post_parent: number
}

async function saveItems(
  tx: Tx,
  site: Site,
  saved: readonly ItemWrite[],
  posts: ReadonlyMap<number, ItemPost>,
  parents: ReadonlyMap<string, number>,
  moment: PostDate,
): Promise<void> {
  if (saved.length === 0) return
  const ids = idsOf(saved)
  await deletePostMeta(tx, site, ids, '_menu_item_orphaned')
  const rows = saved.map(({ after }) => ({
    ...after.row,
    post_parent:
      after.postParent ??
      parents.get(objectKey(after)) ??
      posts.get(after.row.ID)?.post_parent ??
      0,
  }))
  updatePosts(tx, site, rows, moment)
  noteItems(tx, site, ids)
  noteLinks(
    tx,
    site,
    saved.map(({ after }) => after),
  )
  const published = rows.filter(({ post_status }) => post_status === 'publish')
  await recordOldDates(
    tx,
    site,
    published.flatMap(({ ID }) => posts.get(ID) ?? []),
    moment,
  )
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
          post_excerpt = ELT(FIELD(ID, :ids), :excerpts), post_status = ELT(FIELD(ID, :ids), :states),
          post_parent = ELT(FIELD(ID, :ids), :parents), post_date = :local, post_modified = :local, post_modified_gmt = :gmt
        WHERE ID IN (:ids)`,
      {
        posts,
        ids: batch.map(({ ID }) => ID),
        titles: batch.map(({ post_title }) => post_title),
        contents: batch.map(({ post_content }) => post_content),
        excerpts: batch.map(({ post_excerpt }) => post_excerpt),
        states: batch.map(({ post_status }) => post_status),
        parents: batch.map(({ post_parent }) => post_parent),
        ...moment,
      },
    )
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

function setModified(tx: Tx, site: Site, ids: readonly number[], { local, gmt }: PostDate): void {
  if (ids.length === 0) return
  tx.later(
    'UPDATE :posts: SET post_modified = :local, post_modified_gmt = :gmt WHERE ID IN (:ids)',
    { posts: site.tables.posts, local, gmt, ids: [...ids] },
  )
  noteItems(tx, site, ids)
}

/** Stores the meta values that differ. The items are locked with their menu. */
async function storeItemMetas(tx: Tx, site: Site, items: readonly ItemWrite[]): Promise<void> {
  await Promise.all(
    ITEM_META_KEYS.map(async (key) => {
      const values = new Map<number, string>()
      const having = new Set<number>()
      const gone: number[] = []
      for (const { before, after } of items) {
        const [from, to] = [before.meta.get(key), after.meta.get(key)]
        if (from === to) continue
        if (from !== undefined) having.add(before.row.ID)
        if (to === undefined) gone.push(before.row.ID)
        else values.set(before.row.ID, to)
      }
      await setPostsMeta(tx, site, key, values, having)
      await deletePostMeta(tx, site, gone, key)
    }),
  )
}

/** `FIELD` searches its list from the start, so the work per statement grows with the square of this size. */
const ORDER_BATCH_SIZE = 1000

function setItemOrder(tx: Tx, site: Site, items: readonly ItemWrite[]): void {
  noteItems(tx, site, idsOf(items))
  for (let start = 0; start < items.length; start += ORDER_BATCH_SIZE) {
    const batch = items.slice(start, start + ORDER_BATCH_SIZE)
    tx.later('UPDATE :posts: SET menu_order = ELT(FIELD(ID, :ids), :orders) WHERE ID IN (:ids)', {
      posts: site.tables.posts,
      ids: idsOf(batch),
      orders: batch.map(({ after }) => after.row.menu_order),
    })
  }
}
