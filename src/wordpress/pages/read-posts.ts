import type { Db } from '../../db/database.ts'
import type { Languages } from '../languages/language.ts'
import { idIn, storedArray } from '../languages/stored-array.ts'
import type { Site } from '../network/site.ts'
import { pagePath } from './page-path.ts'
import type { Post } from './post.ts'

/** Which posts to read: those of these ids together with those of these slugs, or all; of one type where that is given. */
export type PostQuery = {
  readonly type?: string
  readonly ids?: readonly number[]
  readonly slugs?: readonly string[]
}

type PostRow = {
  ID: number
  post_type: string
  post_status: string
  post_title: string
  post_name: string
  post_parent: number
  has_password: number
  post_date: string
  post_date_gmt: string
  post_modified: string
  post_modified_gmt: string
  lang: string | null
  translations: string | null
}

/**
 * Posts with their paths and languages by id, in one statement however many they are and however deep they stand. The
 * ancestors that the paths needed are among them, so look up what was asked for and don't take all.
 * The column's collation decides which slugs are equal: compare again where that matters.
 */
export async function readPosts(
  db: Db,
  site: Site,
  languages: Languages,
  { type, ids, slugs }: PostQuery,
): Promise<Map<number, Post>> {
  if (ids?.length === 0 && (slugs?.length ?? 0) === 0) return new Map()
  const { posts } = site.tables
  const rows: PostRow[] = await db.sql
    // A circle of parents ends there too: UNION adds no id twice.
    .withRecursive('lineage', ['ID'], (asked) => {
      asked
        .select('ID')
        .from(posts)
        .where((where) => {
          if (ids) where.whereIn('ID', ids)
          if (slugs) where.orWhereIn('post_name', slugs)
        })
        .modify((query) => {
          if (type !== undefined) query.where('post_type', type)
        })
        .union((parents) => {
          parents
            .select('child.post_parent')
            .from('lineage')
            .join({ child: posts }, 'child.ID', 'lineage.ID')
            .where('child.post_parent', '>', 0)
        })
    })
    .from('lineage')
    .join({ p: posts }, 'p.ID', 'lineage.ID')
    .orderBy('p.ID')
    .select('p.ID', 'p.post_type', 'p.post_status', 'p.post_title', 'p.post_name', 'p.post_parent')
    .select('p.post_date', 'p.post_date_gmt', 'p.post_modified', 'p.post_modified_gmt')
    .select({
      has_password: db.sql.raw("?? <> ''", ['p.post_password']),
      lang: languageTerm(db, site, languages, 'language', 't.slug'),
      translations: languageTerm(db, site, languages, 'post_translations', 'tt.description'),
    })
  const parts = new Map(rows.map((r) => [r.ID, { slug: r.post_name, parent: r.post_parent }]))
  return new Map(rows.map((row) => [row.ID, postOf(row, pagePath(parts, row.ID), languages)]))
}

/** What a post's term of one of Polylang's taxonomies says; of several, the first by name (wp_get_object_terms). */
function languageTerm(
  { sql }: Db,
  { tables }: Site,
  languages: Languages,
  taxonomy: string,
  column: string,
) {
  if (languages.list.length === 0) return sql.raw('NULL')
  return sql({ tr: tables.termRelationships })
    .join({ tt: tables.termTaxonomy }, 'tt.term_taxonomy_id', 'tr.term_taxonomy_id')
    .join({ t: tables.terms }, 't.term_id', 'tt.term_id')
    .where({ 'tr.object_id': sql.ref('p.ID'), 'tt.taxonomy': taxonomy })
    .orderBy('t.name')
    .limit(1)
    .select(column)
}

function postOf(row: PostRow, path: string, { list }: Languages): Post {
  const lang = list.find(({ slug }) => slug === row.lang)?.slug ?? null
  return {
    id: row.ID,
    type: row.post_type,
    status: row.post_status,
    title: row.post_title,
    slug: row.post_name,
    parent: row.post_parent,
    path,
    protected: row.has_password === 1,
    lang,
    translations: lang === null ? new Map() : translationsOf(row, lang, list),
    date: row.post_date,
    dateGmt: row.post_date_gmt,
    modified: row.post_modified,
    modifiedGmt: row.post_modified_gmt,
  }
}

/** The group also holds other plugins' keys, and languages that were deleted. */
function translationsOf(
  row: PostRow,
  lang: string,
  list: Languages['list'],
): ReadonlyMap<string, number> {
  const translations = new Map([[lang, row.ID]])
  for (const [slug, value] of storedArray(row.translations)) {
    const id = idIn(value)
    if (id > 0 && list.some((language) => language.slug === slug)) translations.set(`${slug}`, id)
  }
  return translations
}
