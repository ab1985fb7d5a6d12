import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { readRows, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { assertAssigned, type InsertedRow } from '../../db/written-tables.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import type { PostDate } from '../dates.ts'
import { numberedSlug, sanitizeTitle } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'
import { readPostColumns } from '../pages/posts.ts'
import { noteItems, noteLinks } from '../written-rows.ts'
import { itemType, PARENT_META_KEY, type SavedItem, type StoredItem } from './menu-item.ts'
import type { Menu } from './nav-menu.ts'
import { objectKey, readObjectParents } from './object-parents.ts'

/** The author, the time, and the settings of the site that new items depend on. `home` is that of `readHome`. */
export type ItemContext = {
  readonly userId: number
  readonly moment: PostDate
  readonly locale: string
  readonly home: string
}

/**
 * Inserts items into a menu, with the same rows as the menu screen (wp_update_nav_menu_item, nav-menu.php; wp_insert_post, post.php). The caller has
 * locked the menu, and recounts it. The number of statements depends on bytes, not on items; one is awaited for the ids, the last ones wait (`Tx.later`).
 *
 * An item with an id gets it, unless that belongs to another post meanwhile. The ids of the others are read back, not computed, because
 * `auto_increment_increment` may be 3 and changes when a cluster grows. To find its rows, the insert gives them a random `guid`, which is replaced
 * afterwards.
 * @param others.gone ids of items that are deleted
 * @param others.slugs those of all items of the site, by id [read from the tables]
 * @returns the items as they are stored, by the ids that they had in the list
 */
export async function insertMenuItems(
  tx: Tx,
  site: Site,
  menu: Menu,
  items: readonly SavedItem[],
  context: ItemContext | undefined,
  others: {
    readonly gone: readonly number[]
    readonly slugs: ReadonlyMap<number, string> | undefined
  },
): Promise<ReadonlyMap<number, StoredItem>> {
  if (items.length === 0) return new Map()
  if (!context) throw new Error('items are inserted without a context')
  const { posts, postmeta, termRelationships } = site.tables
  const former = items.flatMap(({ row }) => (row.ID > 0 ? row.ID : []))
  const [taken, parents, known] = await Promise.all([
    readPostColumns(tx, site, former, 'post_type'),
    readObjectParents(
      tx,
      site,
      items.filter(({ postParent }) => postParent === undefined),
    ),
    others.slugs ?? readItemSlugs(tx, site),
  ])
  const gone = new Set(others.gone)
  const slugs = new ItemSlugs([...known].flatMap(([id, slug]) => (gone.has(id) ? [] : slug)))
  const guid = randomBytes(16).toString('hex')
  const rows = new Map<SavedItem, InsertedRow>()
  const unnamed = new Set<number>()
  await forEachYielding(items, (item) => {
    const { ID, post_title: title } = item.row
    const wanted = title && sanitizeTitle(title, context.locale)
    const slug = wanted && slugs.claim(wanted)
    if (slug === '') unnamed.add(ID)
    const parent = item.postParent ?? parents.get(objectKey(item)) ?? 0
    rows.set(item, { ...postRow(item, context), post_name: slug, post_parent: parent, guid })
  })
  const isFree = ({ row }: SavedItem): boolean => row.ID > 0 && !taken.has(row.ID)
  const [free, added] = [items.filter(isFree), items.filter((item) => !isFree(item))]
  const ids = new Map(free.map(({ row }) => [row.ID, row.ID]))
  deleteLeftovers(tx, site, [...ids.keys()])
  const rowOf = (item: SavedItem): InsertedRow => rows.get(item) ?? {}
  await storeRows(tx, [
    { table: posts, rows: free.map((item) => ({ ID: item.row.ID, ...rowOf(item) })) },
  ])
  const assigned = await insertPosts(tx, site, added.map(rowOf), guid)
  for (const [index, { row }] of added.entries()) ids.set(row.ID, assigned[index] ?? 0)

  const stored = new Map<number, StoredItem>()
  await forEachYielding(items, (item) => stored.set(item.row.ID, withIds(item, ids)))
  setOwnIds(tx, site, context, [...ids.values()])
  for (const before of unnamed) {
    // The slug of an item without one is its id, unless the title of another item is that number ("2024").
    const id = ids.get(before) ?? 0
    const slug = slugs.claim(String(id))
    if (slug !== String(id))
      tx.later('UPDATE :posts: SET post_name = :slug WHERE ID = :id', { posts, slug, id })
  }
  await storeRows(tx, [
    { table: termRelationships, rows: relationRows(stored.values(), menu) },
    { table: postmeta, rows: metaRows(stored.values()) },
  ])
  noteItems(tx, site, [...ids.values()])
  noteLinks(tx, site, stored.values())
  return stored
}

/** Inserts rows without ids, in order. @returns their ids */
async function insertPosts(
  tx: Tx,
  { tables: { posts } }: Site,
  rows: readonly InsertedRow[],
  guid: string,
): Promise<number[]> {
  if (rows.length === 0) return []
  const first = (await storeRows(tx, [{ table: posts, rows }])).get(posts) ?? 0
  const inserted = await readRows<{ ID: number }>(
    tx,
    'SELECT ID FROM :posts: WHERE ID >= :first AND guid = :guid ORDER BY menu_order, ID',
    { posts, first, guid },
  )
  assertAssigned(posts, inserted.length === rows.length ? (inserted[0]?.ID ?? 0) : 0)
  return inserted.map(({ ID }) => ID)
}

// Rows are generated lazily, because 10,000 items have 80,000 meta values.

function* relationRows(items: Iterable<StoredItem>, menu: Menu): Generator<InsertedRow> {
  for (const { row } of items)
    yield { object_id: row.ID, term_taxonomy_id: menu.termTaxonomyId, term_order: 0 }
}

function* metaRows(items: Iterable<StoredItem>): Generator<InsertedRow> {
  for (const { row, meta, others = [] } of items)
    for (const [key, value] of [...meta, ...others])
      yield { post_id: row.ID, meta_key: key, meta_value: value }
}

/** The item with its id, and that of its parent. A custom link names itself as its object. */
export function withIds(item: SavedItem, ids: ReadonlyMap<number, number>): SavedItem {
  const { row, meta } = item
  const changed = new Map(meta)
  const replace = (key: string): void => {
    const id = ids.get(Number(meta.get(key)))
    if (id !== undefined) changed.set(key, String(id))
  }
  replace(PARENT_META_KEY)
  if (itemType(meta) === 'custom') replace('_menu_item_object_id')
  return { ...item, row: { ...row, ID: ids.get(row.ID) ?? row.ID }, meta: changed }
}

/** Length of the column `guid` in characters, and the digits of the longest id. */
const GUID_LENGTH = 255
const ID_LENGTH = 20

/** `:prefix` followed by the id of the row. Empty if it would not fit the column: WordPress's update fails in that case (wp_insert_post). */
function guidExpression(prefix: string): string {
  return prefix.length + ID_LENGTH > GUID_LENGTH ? "''" : 'CONCAT(:prefix, ID)'
}

/** Sets the columns of new items that contain their ids. The menu screen inserts items as drafts, whose guid is their plain address. */
function setOwnIds(
  tx: Tx,
  { tables }: Site,
  { home }: Pick<ItemContext, 'home'>,
  ids: readonly number[],
): void {
  const prefix = `${home}/?p=`
  tx.later(
    `UPDATE :posts: SET post_name = IF(post_name = '', ID, post_name), guid = ${guidExpression(prefix)}
      WHERE ID IN (:ids)`,
    { posts: tables.posts, prefix, ids: [...ids] },
  )
}

/** Deletes meta values and relationships of posts that do not exist: after the loss of a table, they are still there. */
function deleteLeftovers(tx: Tx, { tables }: Site, ids: readonly number[]): void {
  if (ids.length === 0) return
  const values = { ...tables, ids }
  tx.later('DELETE FROM :postmeta: WHERE post_id IN (:ids)', values)
  tx.later('DELETE FROM :termRelationships: WHERE object_id IN (:ids)', values)
}

/** The post of an item without the columns that depend on other rows, and before those that contain its id are set. */
function postRow({ row }: SavedItem, { userId, moment }: ItemContext): InsertedRow {
  return {
    post_author: userId,
    post_date: moment.local,
    post_date_gmt: moment.gmt,
    post_content: row.post_content,
    post_title: row.post_title,
    post_excerpt: row.post_excerpt,
    post_status: row.post_status,
    menu_order: row.menu_order,
    comment_status: 'closed',
    ping_status: 'closed',
    post_password: '',
    to_ping: '',
    pinged: '',
    post_modified: moment.local,
    post_modified_gmt: moment.gmt,
    post_content_filtered: '',
    post_type: 'nav_menu_item',
    post_mime_type: '',
    comment_count: 0,
  }
}

/** Slugs that are reserved for feeds and embeds (wp_unique_post_slug, post.php). */
const RESERVED_SLUGS = ['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']

/** Hands out slugs (`post_name`) that are unique among the menu items of a site. */
export class ItemSlugs {
  readonly #taken: Set<string>
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...RESERVED_SLUGS, ...taken])
  }

  /** Returns the slug, with a number appended if it is taken or reserved. */
  claim(slug: string): string {
    let unique = slug
    let number = this.#next.get(slug) ?? 2
    for (; this.#taken.has(unique); number += 1) unique = numberedSlug(slug, number)
    this.#next.set(slug, number)
    this.#taken.add(unique)
    return unique
  }
}

/** The slugs of all menu items of a site, by id, in one statement. */
export async function readItemSlugs(db: Db, site: Site): Promise<Map<number, string>> {
  const rows = await readRows<{ ID: number; post_name: string }>(
    db,
    "SELECT ID, post_name FROM :posts: WHERE post_type = 'nav_menu_item'",
    { posts: site.tables.posts },
  )
  return new Map(rows.map(({ ID, post_name }) => [ID, post_name]))
}
