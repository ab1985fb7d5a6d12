import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { groupBy } from '../../host/group-by.ts'
import type { Languages } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { idIn, storedArray } from '../stored-value.ts'

/** A page, or a post of another type that a link can refer to, without its content. */
export type Post = {
  readonly id: number
  /** `post_type`. */
  readonly type: string
  /** `post_status`: `publish`, `draft`, `private`, `future`, `pending`, `trash`, or a plugin's own. */
  readonly status: string
  /** As stored: without WordPress's typographic changes, entities not decoded. */
  readonly title: string
  /** `post_name`: percent-encoded in lower case if it is not Latin; '' until a draft is first published. */
  readonly slug: string
  /** Id of the parent page; 0 at the top. */
  readonly parent: number
  /** The slugs of its ancestors and its own, joined with slashes (get_page_uri, post.php). */
  readonly path: string
  /** Protected with a password. */
  readonly protected: boolean
  /** Language code; null for none, and on sites without Polylang. */
  readonly lang: string | null
  /**
   * Language code to page id, the page itself first (PLL translated-object.php, get_translations). Empty for a page without a language. The
   * ids may be of pages that are in the trash or deleted.
   */
  readonly translations: ReadonlyMap<string, number>
  /** Site-local time, `YYYY-MM-DD HH:MM:SS`. */
  readonly date: string
  readonly modified: string
  readonly modifiedGmt: string
}

/** A post of type `page`. */
export type Page = Post & { readonly type: 'page' }

export function isPage(post: Post): post is Page {
  return post.type === 'page'
}

/** Whether any visitor may see the post: it is published and has no password. */
export function isPublic({ status, protected: hasPassword }: Post): boolean {
  return status === 'publish' && !hasPassword
}

/** Which posts to read: those with these ids, slugs or parents together, or all if none of these is given; of one type if it is given. */
export type PostQuery = {
  readonly type?: string
  readonly ids?: readonly number[]
  readonly slugs?: readonly string[]
  /** Ids of the posts directly above. */
  readonly parents?: readonly number[]
  /** In the order of WordPress's lists of pages (wp_list_pages, post-template.php): `menu_order`, then title by collation. Else by id. */
  readonly inMenuOrder?: boolean
}

/** The last column keeps the order of equal pages, which WordPress leaves to the database. */
export const MENU_ORDER = 'p.menu_order, p.post_title, p.ID'

type PostRow = {
  ID: number
  post_type: string
  post_status: string
  post_title: string
  post_name: string
  post_parent: number
  has_password: number
  post_date: string
  post_modified: string
  post_modified_gmt: string
  menu_order: number
}

/** A term of a post in one of Polylang's taxonomies; nulls if it has none. */
type PostTermRow = {
  taxonomy: string | null
  term_name: string | null
  term_slug: string | null
  description: string | null
}

/**
 * Reads posts with their paths and languages, usually by id: one statement, and a second one for the ancestors if some posts have parents,
 * regardless of number and depth. The cached ids of the last read's ancestors are usually still right, so they are read in the same
 * statement. The result includes ancestors, so look up the requested ids instead of iterating. The column's collation determines which
 * slugs match: compare again where that matters.
 * @param languages if they are still being read, the posts are read at the same time
 */
export async function readPosts(
  db: Db,
  site: Site,
  languages: Languages | Promise<Languages>,
  { type, ids, slugs = [], parents = [], inMenuOrder = false }: PostQuery,
): Promise<Map<number, Post>> {
  if (ids && ids.length + slugs.length + parents.length === 0) return new Map()
  const cached = cachedAncestors(db, site, ids ?? [], slugs)
  const requested = { ids: [...(ids ?? []), ...cached.ids], slugs, parents, type, inMenuOrder }
  const byName = [
    ...(requested.ids.length > 0 ? ['p.ID IN (:ids)'] : []),
    ...(slugs.length > 0 ? ['p.post_name IN (:slugs)'] : []),
    ...(parents.length > 0 ? ['p.post_parent IN (:parents)'] : []),
  ]
  const conditions = [
    ...(byName.length > 0 ? [`(${byName.join(' OR ')})`] : []),
    ...(type === undefined ? [] : ['p.post_type = :type']),
  ]
  const hasLanguages = languages instanceof Promise || languages.list.length > 0
  const [known, rows] = await Promise.all([
    languages,
    readPostRows(db, site, hasLanguages, ':posts: p', conditions, requested),
  ])
  const found = groupBy(rows, ({ ID }) => ID)
  const above = [...found.values()].map(([row]) => row?.post_parent ?? 0)
  const missing = new Set(above.filter((id) => id > 0 && !found.has(id)))
  if (missing.size > 0) {
    const values = { ids: [...missing] }
    const ancestors = await readPostRows(db, site, hasLanguages, LINEAGE, [], values)
    for (const [id, own] of groupBy(ancestors, ({ ID }) => ID))
      if (!found.has(id)) found.set(id, own)
    cached.set([...found.keys()].filter((id) => !ids?.includes(id)))
  }
  const parts = new Map(
    [...found].map(([id, [row]]) => [
      id,
      { slug: row?.post_name ?? '', parent: row?.post_parent ?? 0 },
    ]),
  )
  const posts = inMenuOrder ? [...found] : [...found].sort(([a], [b]) => a - b)
  return new Map(posts.map(([id, rows]) => [id, postOf(rows, pagePath(parts, id), known)]))
}

type PostAndTermRow = PostRow & PostTermRow

/** Columns of these posts by id, in one statement. Deleted posts are not in the map. */
export async function readPostColumns<Columns>(
  db: Db,
  { tables }: Site,
  ids: readonly number[],
  columns: string,
): Promise<Map<number, Columns & { readonly ID: number }>> {
  if (ids.length === 0) return new Map()
  const rows = await readRows<Columns & { readonly ID: number }>(
    db,
    `SELECT ID, ${columns} FROM :posts: WHERE ID IN (:ids)`,
    { ...tables, ids },
  )
  return new Map(rows.map((row) => [row.ID, row]))
}

/** The ids of the ancestors of these posts, as found by the last read; none if neither ids nor slugs are requested. */
function cachedAncestors(
  { cache }: Db,
  { tables }: Site,
  ids: readonly number[],
  slugs: readonly string[],
) {
  const key = `ancestors ${tables.posts} ${ids.join()} ${slugs.join()}`
  const { ancestors = [] } = (cache.get(key) ?? {}) as { ancestors?: readonly number[] }
  return {
    ids: ancestors,
    set: (found: readonly number[]): void => {
      if (ids.length + slugs.length === 0) return
      cache.set(key, { ancestors: found }, { size: key.length + 8 * found.length })
    },
  }
}

const POST_COLUMNS = `
  p.ID, p.post_type, p.post_status, p.post_title, p.post_name, p.post_parent, p.post_password <> '' AS has_password,
  p.post_date, p.post_modified, p.post_modified_gmt, p.menu_order`

const TERM_COLUMNS = 'tt.taxonomy, t.name AS term_name, t.slug AS term_slug, tt.description'

const TERM_JOINS = `
  LEFT JOIN (:termRelationships: tr
    JOIN :termTaxonomy: tt ON tt.term_taxonomy_id = tr.term_taxonomy_id
      AND tt.taxonomy IN ('language', 'post_translations')
    JOIN :terms: t ON t.term_id = tt.term_id
  ) ON tr.object_id = p.ID`

/** These posts and their ancestors. A cycle of parents ends, because UNION adds no id twice. */
const LINEAGE = `(
    WITH RECURSIVE lineage (ID) AS (
      SELECT ID FROM :posts: WHERE ID IN (:ids)
      UNION
      SELECT child.post_parent FROM lineage JOIN :posts: child ON child.ID = lineage.ID
      WHERE child.post_parent > 0
    ) SELECT ID FROM lineage
  ) lineage_ids JOIN :posts: p ON p.ID = lineage_ids.ID`

/** Reads one row per post, or one per Polylang term of a post with several. */
function readPostRows(
  db: Db,
  { tables }: Site,
  hasLanguages: boolean,
  from: string,
  conditions: readonly string[],
  values: { readonly [Name in keyof PostQuery]: PostQuery[Name] | undefined },
): Promise<PostAndTermRow[]> {
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  return readRows(
    db,
    `SELECT ${POST_COLUMNS}${hasLanguages ? `, ${TERM_COLUMNS}` : ''}
      FROM ${from} ${hasLanguages ? TERM_JOINS : ''} ${where} ${values.inMenuOrder ? `ORDER BY ${MENU_ORDER}` : ''}`,
    { ...tables, ...values },
  )
}

/**
 * A post's term in one of Polylang's taxonomies; of several, the first by name (wp_get_object_terms). WordPress leaves the order of equal
 * names to the database; here it is that of the slugs.
 */
function findTerm(rows: readonly PostTermRow[], taxonomy: string): PostTermRow | undefined {
  const orderOf = ({ term_name, term_slug }: PostTermRow): string =>
    `${(term_name ?? '').toLowerCase()}\0${term_slug}`
  return rows
    .filter((row) => row.taxonomy === taxonomy)
    .reduce<PostTermRow | undefined>(
      (first, row) => (first && orderOf(first) <= orderOf(row) ? first : row),
      undefined,
    )
}

function postOf(rows: readonly PostAndTermRow[], path: string, { list }: Languages): Post {
  const [row] = rows
  if (!row) throw new Error('a post without a row')
  const stored = findTerm(rows, 'language')?.term_slug
  const lang = list.find(({ slug }) => slug === stored)?.slug ?? null
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
    translations: lang === null ? new Map() : translationsOf(rows, row.ID, lang, list),
    date: row.post_date,
    modified: row.post_modified,
    modifiedGmt: row.post_modified_gmt,
  }
}

/** The group also contains other plugins' keys, and deleted languages. */
function translationsOf(
  rows: readonly PostTermRow[],
  id: number,
  lang: string,
  list: Languages['list'],
): ReadonlyMap<string, number> {
  const translations = new Map([[lang, id]])
  for (const [slug, value] of storedArray(findTerm(rows, 'post_translations')?.description)) {
    const other = idIn(value)
    if (other > 0 && list.some((language) => language.slug === slug))
      translations.set(`${slug}`, other)
  }
  return translations
}

/** The part of a path that one page contributes. */
export type PathPart = { readonly slug: string; readonly parent: number }

/**
 * The path of a page and its ancestors, in any status: ancestors without a slug are left out, a cycle of parents is cut (get_page_uri and
 * get_post_ancestors, post.php).
 */
export function pagePath(parts: ReadonlyMap<number, PathPart>, id: number): string {
  const seen = new Set([id])
  let path = parts.get(id)?.slug ?? ''
  for (
    let ancestor = parts.get(id)?.parent ?? 0;
    !seen.has(ancestor);
    ancestor = parts.get(ancestor)?.parent ?? 0
  ) {
    const slug = parts.get(ancestor)?.slug
    if (slug) path = `${slug}/${path}`
    seen.add(ancestor)
  }
  return path
}
