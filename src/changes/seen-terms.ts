import type { Db } from '../db/database.ts'
import { inBatches, readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import {
  ROWS_PER_STATEMENT,
  type RowEdit,
  rowEdits,
  seenTables,
  storeSeenRows,
} from './seen-tables.ts'

/** A term that pages may show: a language, a group of translations, a menu, a category, or one that a menu links. */
type TermState = {
  /** `term_taxonomy_id`. */
  readonly id: number
  readonly taxonomy: string
  readonly digest: number
  /** Of a group of translations: the serialized members. */
  readonly description: string | null
}

export type TermEdit = RowEdit<TermState>

/** Links of categories contain those above them, so all are compared. */
const SHOWN_TERMS = `(tt.taxonomy IN ('language', 'post_translations', 'nav_menu', 'category') OR tt.term_id IN (
  SELECT CAST(linking.meta_value AS UNSIGNED) FROM :postmeta: linking WHERE linking.meta_key = '_menu_item_object_id'))`

/** The columns of a term that are compared. Pages show whether a language has posts, not how many. */
export const TERM_COLUMNS = `tt.term_taxonomy_id, tt.term_id, tt.taxonomy, tt.parent, CRC32(tt.description), t.name, t.slug, t.term_group,
  IF(tt.taxonomy = 'language', tt.count > 0, 0)`

/** The languages of terms: object ids are those of terms. */
const TERM_LANGUAGES = `
  SELECT tr.object_id, BIT_XOR(CRC32(tr.term_taxonomy_id)) AS digest
  FROM :relationships: tr JOIN :taxonomy: lt ON lt.term_taxonomy_id = tr.term_taxonomy_id
  WHERE lt.taxonomy = 'term_language' GROUP BY tr.object_id`

/** @param shown a condition on the terms */
const statesSql = (shown: string): string => `
  SELECT tt.term_taxonomy_id AS id, tt.taxonomy, CRC32(CONCAT_WS('\\n', ${TERM_COLUMNS}, IFNULL(r.digest, 0))) AS digest,
    IF(tt.taxonomy = 'post_translations', tt.description, NULL) AS description
  FROM :taxonomy: tt JOIN :terms: t ON t.term_id = tt.term_id
  LEFT JOIN (${TERM_LANGUAGES}) r ON r.object_id = t.term_id
  WHERE ${shown}`

const valuesOf = ({ tables, globals, blogId }: Site) => ({
  terms: tables.terms,
  taxonomy: tables.termTaxonomy,
  relationships: tables.termRelationships,
  postmeta: tables.postmeta,
  seen: seenTables(globals).terms,
  sites: seenTables(globals).sites,
  blogId,
})

/** Compares the terms that pages may show with what was seen last, in two statements. */
export async function findTermEdits(db: Db, site: Site): Promise<TermEdit[]> {
  const values = valuesOf(site)
  const after = await readRows<TermState>(
    db,
    `SELECT s.* FROM (${statesSql(SHOWN_TERMS)}) s LEFT JOIN :seen: k ON k.blog_id = :blogId AND k.term_taxonomy_id = s.id
      WHERE k.term_taxonomy_id IS NULL OR k.digest <> s.digest`,
    values,
  )
  const before = await readRows<TermState>(
    db,
    `SELECT k.term_taxonomy_id AS id, k.taxonomy, k.digest, k.description
      FROM :seen: k LEFT JOIN :taxonomy: tt ON tt.term_taxonomy_id = k.term_taxonomy_id AND tt.taxonomy = k.taxonomy
      LEFT JOIN :terms: t ON t.term_id = tt.term_id
      WHERE k.blog_id = :blogId AND (t.term_id IS NULL OR k.term_taxonomy_id IN (:changed))`,
    { ...values, changed: [0, ...after.map(({ id }) => id)] },
  )
  return rowEdits(after, before)
}

/** Stores that these edits have been seen. */
export const storeSeenTerms = (tx: Tx, site: Site, edits: readonly TermEdit[]): Promise<void> =>
  storeSeenRows(tx, site, { table: 'terms', key: 'term_taxonomy_id' }, edits)

const INTO_SEEN = `INSERT INTO :seen: (blog_id, term_taxonomy_id, taxonomy, digest, description)
  SELECT site.blog_id, s.id, s.taxonomy, s.digest, s.description FROM :sites: site JOIN`

/** Marks these menus as seen. @param menus their ids in `term_taxonomy` */
export function markMenusSeen(tx: Tx, site: Site, menus: readonly number[]): void {
  const values = { ...valuesOf(site), menus: [...menus] }
  tx.later(
    `DELETE FROM :seen: WHERE blog_id = :blogId AND term_taxonomy_id IN (:menus) AND taxonomy = 'nav_menu'
      AND NOT EXISTS (SELECT 1 FROM :taxonomy: tt WHERE tt.term_taxonomy_id = :seen:.term_taxonomy_id AND tt.taxonomy = 'nav_menu')`,
    values,
  )
  tx.later(
    `${INTO_SEEN} (${statesSql("tt.taxonomy = 'nav_menu' AND tt.term_taxonomy_id IN (:menus)")}) s
      WHERE site.blog_id = :blogId ON DUPLICATE KEY UPDATE digest = VALUES(digest)`,
    values,
  )
}

/** Marks terms that menu items link as seen, unless they have been seen before. @param terms their ids in `terms` */
export function markLinkedTermsSeen(tx: Tx, site: Site, terms: readonly number[]): void {
  for (const ids of inBatches(terms, ROWS_PER_STATEMENT))
    tx.later(
      `${INTO_SEEN} (${statesSql('tt.term_id IN (:ids)')}) s
        WHERE site.blog_id = :blogId ON DUPLICATE KEY UPDATE digest = :seen:.digest`,
      { ...valuesOf(site), ids },
    )
}
