import type { Db } from '../../db/database.ts'
import { escapeLike, readRows, searchable } from '../../db/sql.ts'
import { specialChars } from '../formatting/entities.ts'
import { escapeSlugPart } from '../formatting/slugs.ts'
import type { Language } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'

const TITLE = searchable('p.post_title')
const SLUG = searchable('p.post_name')

export type PageSearch = {
  /** Part of the title or of the slug, or the id; '' for all pages. */
  readonly text: string
  /** Only pages with this value under this meta key; null: without one. */
  readonly meta?: { readonly key: string; readonly value: string | null } | undefined
  /** Only this page, by its id, and those below it. */
  readonly below?: number | undefined
  readonly language?: Language | undefined
  /** Only larger ids. */
  readonly after: number
  readonly limit: number
}

/**
 * Finds pages in the order of their ids, in two statements, without those in the trash and automatic drafts.
 * @returns the ids, and how many there are with any id
 */
export async function searchPages(
  db: Db,
  { tables }: Site,
  { text, meta, below, language, after, limit }: PageSearch,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const searched = text.trim()
  const conditions = [
    "p.post_type = 'page' AND p.post_status NOT IN ('trash', 'auto-draft')",
    ...(searched === ''
      ? []
      : [
          `(${TITLE} LIKE :text OR ${TITLE} LIKE :encoded
            OR ${SLUG} LIKE :text OR ${SLUG} LIKE :slug OR p.ID = :id)`,
        ]),
    ...(meta
      ? [
          // Of duplicates, the oldest counts (get_metadata, meta.php).
          '(SELECT m.meta_value FROM :postmeta: m WHERE m.post_id = p.ID AND m.meta_key = :key ORDER BY m.meta_id LIMIT 1) <=> :value',
        ]
      : []),
    ...(below === undefined
      ? []
      : [
          // A cycle of parents ends, because UNION adds no id twice.
          `p.ID IN (WITH RECURSIVE branch (ID) AS (SELECT :below UNION
              SELECT child.ID FROM branch JOIN :posts: child ON child.post_parent = branch.ID AND child.post_type = 'page')
            SELECT ID FROM branch)`,
        ]),
    ...(language
      ? [
          `EXISTS (SELECT 1 FROM :termRelationships: r JOIN :termTaxonomy: t ON t.term_taxonomy_id = r.term_taxonomy_id
            WHERE r.object_id = p.ID AND t.taxonomy = 'language' AND t.term_id = :language)`,
        ]
      : []),
  ].join(' AND ')
  const values = {
    ...tables,
    after,
    limit,
    text: `%${escapeLike(searched)}%`,
    // Titles are stored as HTML.
    encoded: `%${escapeLike(specialChars(searched, 'keep'))}%`,
    slug: `%${escapeLike(escapeSlugPart(searched))}%`,
    id: /^\d{1,15}$/.test(searched) ? Number(searched) : 0,
    key: meta?.key ?? '',
    value: meta?.value ?? null,
    below: below ?? 0,
    language: language?.id ?? 0,
  }
  const [rows, [counted]] = await Promise.all([
    readRows<{ ID: number }>(
      db,
      `SELECT p.ID FROM :posts: p WHERE ${conditions} AND p.ID > :after ORDER BY p.ID LIMIT :limit`,
      values,
    ),
    readRows<{ total: number }>(
      db,
      `SELECT COUNT(*) AS total FROM :posts: p WHERE ${conditions}`,
      values,
    ),
  ])
  return { ids: rows.map(({ ID }) => ID), total: Number(counted?.total ?? 0) }
}

/** Pages whose slugs are compared with a wrong one. */
const MAX_COMPARED = 500

/** The ids of pages whose slugs begin or end like one of these, and have nearly their length: candidates for a misspelt slug. */
export async function findPagesLike(
  db: Db,
  { tables }: Site,
  slugs: readonly string[],
): Promise<number[]> {
  if (slugs.length === 0) return []
  const isLike = slugs.map(
    (_, index) =>
      `((LEFT(post_name, 2) = LEFT(:slug${index}, 2) OR RIGHT(post_name, 2) = RIGHT(:slug${index}, 2))
        AND ABS(CHAR_LENGTH(post_name) - CHAR_LENGTH(:slug${index})) <= 2)`,
  )
  const rows = await readRows<{ ID: number }>(
    db,
    `SELECT ID FROM :posts: WHERE post_type = 'page' AND post_status = 'publish'
      AND (${isLike.join(' OR ')}) ORDER BY ID LIMIT ${MAX_COMPARED}`,
    { ...tables, ...Object.fromEntries(slugs.map((slug, index) => [`slug${index}`, slug])) },
  )
  return rows.map(({ ID }) => ID)
}
