import { readRows, runStatement, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { assertAssigned, completeRow } from '../../db/written-tables.ts'
import { sanitizeTitle } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/cache-keys.ts'
import { type ItemContext, ItemSlugs, readItemSlugs, setOwnIds } from './insert-menu-items.ts'
import { itemObjectId, itemType, PASSING_META_KEYS, type StoredItem } from './menu-item.ts'
import { recountMenus } from './menu-term.ts'
import type { Menu } from './nav-menu.ts'

/**
 * Inserts items of a menu again as they were stored. An item gets its former id, unless that belongs to another post meanwhile. The caller
 * has locked the menu and deleted its items.
 * @returns the items as they are stored now
 */
export async function restoreMenuItems(
  tx: Tx,
  site: Site,
  menu: Menu,
  items: readonly StoredItem[],
  context: ItemContext,
): Promise<StoredItem[]> {
  if (items.length === 0) return []
  const { posts, postmeta, termRelationships } = site.tables
  const wanted = items.map(({ row }) => row.ID)
  const [others, stored, parents] = await Promise.all([
    readRows<{ ID: number }>(tx, 'SELECT ID FROM :posts: WHERE ID IN (:wanted)', { posts, wanted }),
    readItemSlugs(tx, site),
    readObjectParents(tx, site, items),
  ])
  const taken = new Set(others.map(({ ID }) => ID))
  const slugs = new ItemSlugs(stored.values())
  const rowOf = (item: StoredItem) => {
    const title = item.row.post_title && sanitizeTitle(item.row.post_title, context.locale)
    return postRow(item, {
      slug: title && slugs.claim(title),
      parent: parents.get(objectKey(item)) ?? 0,
      context,
    })
  }
  const ids = new Map<number, number>()
  const free = items.filter(({ row }) => !taken.has(row.ID))
  deleteLeftovers(
    tx,
    site,
    free.map(({ row }) => row.ID),
  )
  const rows = free.map((item) => ({ ID: item.row.ID, ...rowOf(item) }))
  await storeRows(tx, [{ table: posts, rows }])
  for (const { row } of free) ids.set(row.ID, row.ID)
  for (const item of items.filter(({ row }) => taken.has(row.ID))) {
    const row = completeRow(tx.implicit, posts, rowOf(item))
    const { insertId } = await runStatement(
      tx,
      'INSERT INTO :posts: (:columns:) VALUES (:values)',
      {
        posts,
        columns: Object.keys(row),
        values: Object.values(row),
      },
    )
    assertAssigned(posts, insertId)
    ids.set(item.row.ID, insertId)
  }
  const inserted = [...ids.values()]
  setOwnIds(tx, site, context, inserted)
  const restored = items.map((item) => withIds(item, ids))
  const relations = inserted.map((id) => ({
    object_id: id,
    term_taxonomy_id: menu.termTaxonomyId,
    term_order: 0,
  }))
  const metas = restored.flatMap(({ row, meta, others = [] }) =>
    [...meta, ...others].map(([key, value]) => ({
      post_id: row.ID,
      meta_key: key,
      meta_value: value,
    })),
  )
  await storeRows(tx, [
    { table: termRelationships, rows: relations },
    { table: postmeta, rows: metas },
  ])
  recountMenus(tx, site, [menu])
  tx.invalidate(menuItemKeys(site, inserted))
  return restored
}

/** Deletes meta values and relationships of posts that do not exist: after the loss of a table, they are still there. */
function deleteLeftovers(tx: Tx, { tables }: Site, ids: readonly number[]): void {
  if (ids.length === 0) return
  const { postmeta, termRelationships } = tables
  for (const [table, column] of [
    [postmeta, 'post_id'],
    [termRelationships, 'object_id'],
  ] as const)
    tx.later('DELETE FROM :table: WHERE :column: IN (:ids)', { table, column, ids: [...ids] })
}

type PassingMeta = {
  readonly post_id: number
  readonly meta_key: string
  readonly meta_value: string | null
}

/** The meta values that the history does not have, because they say nothing about an item. */
export async function readPassingMeta(
  tx: Tx,
  { tables: { postmeta } }: Site,
  ids: readonly number[],
): Promise<readonly PassingMeta[]> {
  if (ids.length === 0) return []
  return readRows<PassingMeta>(
    tx,
    `SELECT post_id, meta_key, meta_value FROM :postmeta:
      WHERE post_id IN (:ids) AND meta_key IN (:keys) ORDER BY meta_id`,
    { postmeta, ids: [...ids], keys: [...PASSING_META_KEYS] },
  )
}

/** Stores them again on the items that have their former ids. */
export async function storePassingMeta(
  tx: Tx,
  { tables: { postmeta } }: Site,
  items: readonly StoredItem[],
  passing: readonly PassingMeta[],
): Promise<void> {
  const ids = new Set(items.map(({ row }) => row.ID))
  const rows = passing.filter(({ post_id }) => ids.has(post_id))
  await storeRows(tx, [{ table: postmeta, rows }])
}

/** The item with its new id, and its parent's. A custom link names itself as its object. */
function withIds({ row, meta, ...item }: StoredItem, ids: ReadonlyMap<number, number>): StoredItem {
  const changed = new Map(meta)
  const replace = (key: string) => {
    const id = ids.get(Number(meta.get(key)))
    if (id !== undefined) changed.set(key, String(id))
  }
  replace('_menu_item_menu_item_parent')
  if (itemType(meta) === 'custom') replace('_menu_item_object_id')
  return { ...item, row: { ...row, ID: ids.get(row.ID) ?? row.ID }, meta: changed }
}

const objectKey = ({ meta }: StoredItem): string => `${itemType(meta)} ${itemObjectId(meta)}`

/** The parents of the linked posts and terms, which WordPress stores with the items, by `objectKey`. */
async function readObjectParents(
  tx: Tx,
  { tables }: Site,
  items: readonly StoredItem[],
): Promise<Map<string, number>> {
  const idsOf = (type: string) =>
    items.filter(({ meta }) => itemType(meta) === type).map(({ meta }) => itemObjectId(meta))
  const [posts, terms] = await Promise.all([
    readParents(tx, 'SELECT ID AS id, post_parent AS parent FROM :table: WHERE ID IN (:ids)', {
      table: tables.posts,
      ids: idsOf('post_type'),
    }),
    readParents(tx, 'SELECT term_id AS id, parent FROM :table: WHERE term_id IN (:ids)', {
      table: tables.termTaxonomy,
      ids: idsOf('taxonomy'),
    }),
  ])
  return new Map([
    ...posts.map(({ id, parent }) => [`post_type ${id}`, parent] as const),
    ...terms.map(({ id, parent }) => [`taxonomy ${id}`, parent] as const),
  ])
}

async function readParents(
  tx: Tx,
  statement: string,
  { table, ids }: { readonly table: string; readonly ids: readonly number[] },
): Promise<{ readonly id: number; readonly parent: number }[]> {
  return ids.length === 0 ? [] : readRows(tx, statement, { table, ids: [...ids] })
}

type RestoredPostParts = {
  readonly slug: string
  readonly parent: number
  readonly context: ItemContext
}

function postRow(
  { row }: StoredItem,
  { slug, parent, context: { userId, moment } }: RestoredPostParts,
) {
  return {
    post_author: userId,
    post_date: moment.local,
    post_date_gmt: moment.gmt,
    post_content: row.post_content,
    post_title: row.post_title,
    post_excerpt: row.post_excerpt,
    post_status: row.post_status,
    comment_status: 'closed',
    ping_status: 'closed',
    post_password: '',
    post_name: slug,
    to_ping: '',
    pinged: '',
    post_modified: moment.local,
    post_modified_gmt: moment.gmt,
    post_content_filtered: '',
    post_parent: parent,
    guid: '',
    menu_order: row.menu_order,
    post_type: 'nav_menu_item',
    post_mime_type: '',
    comment_count: 0,
  }
}
