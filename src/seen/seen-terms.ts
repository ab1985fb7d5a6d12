import type { Db } from '../db/database.ts'
import { inBatches, readRows, storeRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import { seenTables } from './seen-tables.ts'

/** A term that pages may show: a language, a group of translations, a menu, a category, or one that a menu links. */
type TermState = {
  /** `term_taxonomy_id`. */
  readonly id: number
  readonly taxonomy: string
  readonly digest: number
  /** Of a group of translations: the serialized members. */
  readonly description: string | null
}

/** A term that differs from what was seen last. `before` is missing for a new term, `after` for a deleted one. */
export type TermEdit = {
  readonly id: number
  readonly before?: TermState
  readonly after?: TermState
}

/** Links of categories contain those above them, so all are compared. */
const SHOWN_TERMS = `(tt.taxonomy IN ('language', 'post_translations', 'nav_menu', 'category') OR tt.term_id IN (
  SELECT CAST(linking.meta_value AS UNSIGNED) FROM :postmeta: linking WHERE linking.meta_key = '_menu_item_object_id'))`

/** The number of posts of a term does not count, except whether a language has any. */
export const TERM_COLUMNS = `tt.term_taxonomy_id, tt.term_id, tt.taxonomy, tt.parent, CRC32(tt.description), t.name, t.slug, t.term_group,
  IF(tt.taxonomy = 'language', tt.count > 0, 0)`

/** The languages of terms: object ids are those of terms. */
const TERM_LANGUAGES = `
  SELECT tr.object_id, BIT_XOR(CRC32(tr.term_taxonomy_id)) AS digest
  FROM :relationships: tr JOIN :taxonomy: lt ON lt.term_taxonomy_id = tr.term_taxonomy_id
  WHERE lt.taxonomy = 'term_language' GROUP BY tr.object_id`

type TermEditRow = TermState & {
  readonly seenTaxonomy: string | null
  readonly seenDigest: number
  readonly seenDescription: string | null
}

/** Compares the terms that pages may show with what was seen last, in two statements. */
export async function findTermEdits(db: Db, site: Site): Promise<TermEdit[]> {
  const { tables, globals, blogId } = site
  const values = {
    terms: tables.terms,
    taxonomy: tables.termTaxonomy,
    relationships: tables.termRelationships,
    postmeta: tables.postmeta,
    seen: seenTables(globals).terms,
    blogId,
  }
  const changed = await readRows<TermEditRow>(
    db,
    `SELECT s.*, k.taxonomy AS seenTaxonomy, k.digest AS seenDigest, k.description AS seenDescription
      FROM (
        SELECT tt.term_taxonomy_id AS id, tt.taxonomy, CRC32(CONCAT_WS('\\n', ${TERM_COLUMNS}, IFNULL(r.digest, 0))) AS digest,
          IF(tt.taxonomy = 'post_translations', tt.description, NULL) AS description
        FROM :taxonomy: tt JOIN :terms: t ON t.term_id = tt.term_id
        LEFT JOIN (${TERM_LANGUAGES}) r ON r.object_id = t.term_id
        WHERE ${SHOWN_TERMS}
      ) s LEFT JOIN :seen: k ON k.blog_id = :blogId AND k.term_taxonomy_id = s.id
      WHERE k.term_taxonomy_id IS NULL OR k.digest <> s.digest`,
    values,
  )
  const gone = await readRows<TermState>(
    db,
    `SELECT k.term_taxonomy_id AS id, k.taxonomy, k.digest, k.description
      FROM :seen: k LEFT JOIN :taxonomy: tt ON tt.term_taxonomy_id = k.term_taxonomy_id AND tt.taxonomy = k.taxonomy
      LEFT JOIN :terms: t ON t.term_id = tt.term_id
      WHERE k.blog_id = :blogId AND t.term_id IS NULL`,
    values,
  )
  const edits = new Map<number, TermEdit>()
  for (const before of gone) edits.set(before.id, { id: before.id, before })
  for (const row of changed) edits.set(row.id, editOf(row))
  return [...edits.values()]
}

function editOf({ id, taxonomy, digest, description, ...seen }: TermEditRow): TermEdit {
  const after = { id, taxonomy, digest, description }
  if (seen.seenTaxonomy === null) return { id, after }
  const before = {
    id,
    taxonomy: seen.seenTaxonomy,
    digest: seen.seenDigest,
    description: seen.seenDescription,
  }
  return { id, before, after }
}

/** Terms in one statement. */
const TERMS_PER_STATEMENT = 5000

/** Stores that these edits have been seen. */
export async function storeSeenTerms(
  tx: Tx,
  { blogId, globals }: Site,
  edits: readonly TermEdit[],
): Promise<void> {
  const table = seenTables(globals).terms
  const gone = edits.filter(({ after }) => after === undefined).map(({ id }) => Number(id))
  for (const batch of inBatches(gone, TERMS_PER_STATEMENT))
    await tx.sql.raw(`DELETE FROM ?? WHERE blog_id = ? AND term_taxonomy_id IN (${batch.join()})`, [
      table,
      blogId,
    ])
  const rows = edits.flatMap(({ after }) => {
    if (!after) return []
    const { id, ...state } = after
    return [{ blog_id: blogId, term_taxonomy_id: id, ...state }]
  })
  const onDuplicate = ['taxonomy', 'digest', 'description']
    .map((column) => `${column} = VALUES(${column})`)
    .join()
  await storeRows(tx, [{ table, rows, onDuplicate }])
}
