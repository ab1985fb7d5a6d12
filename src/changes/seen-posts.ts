import type { Db } from '../db/database.ts'
import { inBatches, readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type PathPart, pagePath } from '../wordpress/pages/posts.ts'
import {
  ROWS_PER_STATEMENT,
  type RowEdit,
  rowEdits,
  seenTables,
  storeSeenRows,
} from './seen-tables.ts'
import { SHOWN_META_KEYS } from './shown-content.ts'

/** A post that pages may show, as digests. Each digest covers the columns that have the same consequences. */
type PostState = {
  readonly id: number
  readonly type: string
  readonly parent: number
  readonly slug: string
  /** Of what determines the URL and who may see the post: type, status, password, slug, parent, language, translations. */
  readonly address: number
  /** Of what lists of posts show besides: title and dates; for menu items also the order. */
  readonly listing: number
  /** Of content and excerpt; 0 for linked posts, whose texts no menu shows. */
  readonly texts: number
  /** Of the meta values that count: those of menu items, and the given keys. */
  readonly meta: number
}

export type PostEdit = RowEdit<PostState>

const COLUMNS = ['type', 'parent', 'slug', 'address', 'listing', 'texts', 'meta']

/** Taxonomies whose terms say what a page or a menu item belongs to. */
const TAXONOMIES = "('language', 'post_translations', 'nav_menu')"

/** The posts that menu items link, and the parents of pages, which may have become posts of another type. */
export const LINKED_POSTS = `
  SELECT CAST(linking.meta_value AS UNSIGNED) FROM :postmeta: linking WHERE linking.meta_key = '_menu_item_object_id'
  UNION SELECT child.post_parent FROM :posts: child WHERE child.post_type = 'page'`

const SHOWN_POSTS = `(p.post_type IN ('page', 'nav_menu_item') OR p.ID IN (${LINKED_POSTS}))`

/** Digests of columns. Contents are digested one by one, because a text of all of them could exceed the server's limit. */
export const ADDRESS_COLUMNS =
  "p.post_type, p.post_status, p.post_password <> '', p.post_name, p.post_parent"
export const LISTING_COLUMNS = `p.post_title, p.post_date, p.post_date_gmt, p.post_modified, p.post_modified_gmt,
  IF(p.post_type IN ('page', 'nav_menu_item'), p.menu_order, 0)`
export const TEXTS =
  "IF(p.post_type IN ('page', 'nav_menu_item'), CRC32(CONCAT_WS(' ', CRC32(p.post_content), CRC32(p.post_excerpt))), 0)"

const META_DIGEST = "BIT_XOR(CRC32(CONCAT_WS('\\n', meta_id, meta_key, meta_value)))"

/**
 * @param only a condition on a column with post ids
 * @param shown a condition on the posts
 */
const statesSql = (only: (column: string) => string, shown = 'TRUE'): string => `
  SELECT p.ID AS id, p.post_type AS type, p.post_parent AS parent, p.post_name AS slug,
    CRC32(CONCAT_WS('\\n', ${ADDRESS_COLUMNS}, IFNULL(r.digest, 0))) AS address,
    CRC32(CONCAT_WS('\\n', ${LISTING_COLUMNS})) AS listing, ${TEXTS} AS texts, IFNULL(m.digest, 0) AS meta
  FROM :posts: p
  LEFT JOIN (
    SELECT post_id, ${META_DIGEST} AS digest
    FROM :postmeta: WHERE meta_key IN (:metaKeys) AND ${only('post_id')} GROUP BY post_id
  ) m ON m.post_id = p.ID
  LEFT JOIN (
    SELECT tr.object_id, BIT_XOR(CRC32(tr.term_taxonomy_id)) AS digest
    FROM :relationships: tr JOIN :taxonomy: tt ON tt.term_taxonomy_id = tr.term_taxonomy_id
    WHERE tt.taxonomy IN ${TAXONOMIES} AND ${only('tr.object_id')} GROUP BY tr.object_id
  ) r ON r.object_id = p.ID
  WHERE ${only('p.ID')} AND ${shown}`

const valuesOf = ({ tables, globals, blogId }: Site) => ({
  posts: tables.posts,
  postmeta: tables.postmeta,
  relationships: tables.termRelationships,
  taxonomy: tables.termTaxonomy,
  seen: seenTables(globals).posts,
  sites: seenTables(globals).sites,
  metaKeys: [...SHOWN_META_KEYS],
  blogId,
})

/**
 * Compares the posts that pages may show with what was seen last, in two statements. The database compares them, so the cost of reading
 * depends on the number of edits.
 * @param ids only these posts [all]
 */
export async function findPostEdits(
  db: Db,
  site: Site,
  ids: ReadonlySet<number> | 'all',
): Promise<PostEdit[]> {
  if (ids !== 'all' && ids.size === 0) return []
  const only = (column: string) => (ids === 'all' ? 'TRUE' : `${column} IN (:ids)`)
  const values = { ...valuesOf(site), ids: ids === 'all' ? [] : [...ids] }
  const after = await readRows<PostState>(
    db,
    `SELECT s.* FROM ${editedSql(only, SHOWN_POSTS)}`,
    values,
  )
  const before = await readRows<PostState>(
    db,
    `SELECT k.post_id AS id, k.type, k.parent, k.slug, k.address, k.listing, k.texts, k.meta
      FROM :seen: k LEFT JOIN :posts: p ON p.ID = k.post_id AND p.post_type = k.type
      WHERE k.blog_id = :blogId AND (${only('k.post_id')} AND p.ID IS NULL OR k.post_id IN (:changed))`,
    { ...values, changed: [0, ...after.map(({ id }) => id)] },
  )
  return rowEdits(after, before)
}

/** Whether all of these pages are as they were seen last. */
export async function arePagesSeen(db: Db, site: Site, ids: readonly number[]): Promise<boolean> {
  const only = (column: string) => `${column} IN (:ids)`
  const statement = `(SELECT 1 FROM ${editedSql(only, "p.post_type = 'page'")} LIMIT 1)
    UNION ALL (SELECT 1 FROM :seen: k LEFT JOIN :posts: p ON p.ID = k.post_id AND p.post_type = k.type
      WHERE k.blog_id = :blogId AND ${only('k.post_id')} AND p.ID IS NULL LIMIT 1)`
  return (await readRows(db, statement, { ...valuesOf(site), ids })).length === 0
}

/** The posts that differ from what was seen last, as a table expression and a condition; for its parameters see `statesSql`. */
const editedSql = (...which: Parameters<typeof statesSql>): string => `
  (${statesSql(...which)}) s LEFT JOIN :seen: k ON k.blog_id = :blogId AND k.post_id = s.id
  WHERE k.post_id IS NULL OR k.address <> s.address OR k.listing <> s.listing OR k.texts <> s.texts OR k.meta <> s.meta`

/** The paths of these pages as seen last, by id, in one statement. */
export async function readSeenPaths(
  db: Db,
  { globals, blogId }: Site,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await readRows<PathPart & { readonly id: number }>(
    db,
    `WITH RECURSIVE lineage (id) AS (
        SELECT post_id FROM :seen: WHERE blog_id = :blogId AND post_id IN (:ids)
        UNION
        SELECT child.parent FROM lineage JOIN :seen: child ON child.blog_id = :blogId AND child.post_id = lineage.id
        WHERE child.parent > 0
      ) SELECT k.post_id AS id, k.slug, k.parent FROM lineage JOIN :seen: k ON k.blog_id = :blogId AND k.post_id = lineage.id`,
    { seen: seenTables(globals).posts, blogId, ids: [...ids] },
  )
  const parts = new Map(rows.map((row) => [row.id, row]))
  return new Map(ids.filter((id) => parts.has(id)).map((id) => [id, pagePath(parts, id)]))
}

/** Stores that these edits have been seen. */
export const storeSeenPosts = (tx: Tx, site: Site, edits: readonly PostEdit[]): Promise<void> =>
  storeSeenRows(tx, site, { table: 'posts', key: 'post_id' }, edits)

/** Marks the meta values of these pages as seen. */
export function markMetasSeen(tx: Tx, site: Site, pages: readonly number[]): void {
  for (const ids of inBatches(pages, ROWS_PER_STATEMENT))
    tx.later(
      `UPDATE :seen: k SET k.meta = (
          SELECT IFNULL(${META_DIGEST}, 0) FROM :postmeta: WHERE post_id = k.post_id AND meta_key IN (:metaKeys)
        ) WHERE k.blog_id = :blogId AND k.type = 'page' AND k.post_id IN (:ids)`,
      { ...valuesOf(site), ids },
    )
}

const INTO_SEEN = `INSERT INTO :seen: (blog_id, post_id, ${COLUMNS.join()})
  SELECT site.blog_id, s.id, ${COLUMNS.map((column) => `s.${column}`).join()} FROM :sites: site JOIN`

const UNSEEN =
  'NOT EXISTS (SELECT 1 FROM :seen: known WHERE known.blog_id = :blogId AND known.post_id = p.ID)'

/** Marks these menu items as seen. */
export function markItemsSeen(
  tx: Tx,
  site: Site,
  items: ReadonlyMap<number, 'stored' | 'deleted'>,
): void {
  const idsOf = (wanted: 'stored' | 'deleted') =>
    [...items].flatMap(([id, state]) => (state === wanted ? id : []))
  for (const ids of inBatches(idsOf('deleted'), ROWS_PER_STATEMENT))
    tx.later(
      `DELETE FROM :seen: WHERE blog_id = :blogId AND post_id IN (:ids) AND type = 'nav_menu_item'
        AND NOT EXISTS (SELECT 1 FROM :posts: p WHERE p.ID = :seen:.post_id AND p.post_type = 'nav_menu_item')`,
      { ...valuesOf(site), ids },
    )
  for (const ids of inBatches(idsOf('stored'), ROWS_PER_STATEMENT))
    tx.later(
      `${INTO_SEEN} (${statesSql(withId, "p.post_type = 'nav_menu_item'")}) s WHERE site.blog_id = :blogId
        ON DUPLICATE KEY UPDATE ${COLUMNS.map((column) => `${column} = VALUES(${column})`).join()}`,
      { ...valuesOf(site), ids },
    )
}

/** Marks posts that menu items link as seen, unless they have been seen before. */
export function markLinkedPostsSeen(tx: Tx, site: Site, posts: readonly number[]): void {
  for (const ids of inBatches(posts, ROWS_PER_STATEMENT))
    tx.later(
      `${INTO_SEEN} (${statesSql(withId, UNSEEN)}) s WHERE site.blog_id = :blogId
        ON DUPLICATE KEY UPDATE type = :seen:.type`,
      { ...valuesOf(site), ids },
    )
}

const withId = (column: string): string => `${column} IN (:ids)`
