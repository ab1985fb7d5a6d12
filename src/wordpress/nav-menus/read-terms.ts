import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { groupBy } from '../../host/group-by.ts'
import { pagePathSlugs } from '../formatting/slugs.ts'
import type { Languages } from '../languages/languages.ts'
import type { Site } from '../network/site.ts'
import { pagePath } from '../pages/posts.ts'
import type { LinkedTerm } from '../permalinks/urls.ts'
import { idIn, storedArray } from '../stored-value.ts'

type TermRow = {
  term_id: number
  taxonomy: string
  name: string
  slug: string
  parent: number
  lang: string | null
}

/** Selects terms by id or by slug. */
type TermQuery =
  | { readonly ids: readonly number[]; readonly slugs?: undefined }
  | { readonly ids?: undefined; readonly slugs: readonly string[] }

/**
 * Reads terms with their paths and languages, in one statement. The result includes the ancestors that the paths need. On old sites
 * one id may belong to terms of several taxonomies.
 */
export async function readTerms(
  db: Db,
  site: Site,
  languages: Languages,
  { ids, slugs }: TermQuery,
): Promise<LinkedTerm[]> {
  if ((ids ?? slugs).length === 0) return []
  const rows = await readRows<TermRow>(
    db,
    `WITH RECURSIVE lineage (term_taxonomy_id) AS (
        SELECT term_taxonomy_id FROM :termTaxonomy: WHERE term_id IN (${ids ? ':ids' : 'SELECT term_id FROM :terms: WHERE slug IN (:slugs)'})
        UNION SELECT parent.term_taxonomy_id FROM lineage
          JOIN :termTaxonomy: child ON child.term_taxonomy_id = lineage.term_taxonomy_id
          JOIN :termTaxonomy: parent ON parent.term_id = child.parent AND parent.taxonomy = child.taxonomy
      )
      SELECT t.term_id, tt.taxonomy, t.name, t.slug, tt.parent, ${languages.list.length === 0 ? 'NULL' : LANGUAGE_OF_TERM} AS lang
      FROM lineage JOIN :termTaxonomy: tt ON tt.term_taxonomy_id = lineage.term_taxonomy_id
        JOIN :terms: t ON t.term_id = tt.term_id`,
    { ...site.tables, ids: ids ?? [], slugs: slugs ?? [] },
  )
  return [...new Set(rows.map((row) => row.taxonomy))].flatMap((taxonomy) => {
    const family = rows.filter((row) => row.taxonomy === taxonomy)
    const parts = new Map(family.map((row) => [row.term_id, row]))
    return family.map((row) => termOf(row, pagePath(parts, row.term_id), languages))
  })
}

const LANGUAGE_OF_TERM = `(SELECT lt.slug FROM :termRelationships: tr
  JOIN :termTaxonomy: ltt ON ltt.term_taxonomy_id = tr.term_taxonomy_id
  JOIN :terms: lt ON lt.term_id = ltt.term_id
  WHERE tr.object_id = tt.term_id AND ltt.taxonomy = 'term_language' ORDER BY lt.name LIMIT 1)`

/** The language of a term has the slug `pll_fr` (PLL translated-term.php). */
function termOf(row: TermRow, path: string, { list }: Languages): LinkedTerm {
  const lang = list.find(({ slug }) => `pll_${slug}` === row.lang)?.slug ?? null
  const { term_id: id, taxonomy, name, slug, parent } = row
  return { id, taxonomy, name, slug, parent, path, lang }
}

/** A term's taxonomy, and the slugs of its ancestors and its own, percent-encoded or not. */
type TermPath = { readonly taxonomy: string; readonly path: string }

/** The terms that match each path, in one statement: usually one, several if languages share a slug. */
export async function findTermsByPath(
  db: Db,
  site: Site,
  languages: Languages,
  paths: readonly TermPath[],
): Promise<LinkedTerm[][]> {
  const wanted = paths.map(({ taxonomy, path }) => {
    const slugs = pagePathSlugs(path)
    return { key: `${taxonomy} ${slugs.join('/')}`, slug: slugs.at(-1) ?? '' }
  })
  const slugs = [...new Set(wanted.map(({ slug }) => slug).filter((slug) => slug !== ''))]
  const terms = await readTerms(db, site, languages, { slugs })
  const found = groupBy(terms, (term) => `${term.taxonomy} ${term.path}`)
  return wanted.map(({ key }) => found.get(key) ?? [])
}

/** Maps each term id to the id of its translation, in one statement (PLL translated-object.php, get_translation). */
export async function findTermTranslations(
  db: Db,
  { tables }: Site,
  ids: readonly number[],
  lang: string,
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const groups = await readRows<{ object_id: number; description: string }>(
    db,
    `SELECT tr.object_id, tt.description FROM :termRelationships: tr
      JOIN :termTaxonomy: tt ON tt.term_taxonomy_id = tr.term_taxonomy_id
      WHERE tt.taxonomy = 'term_translations' AND tr.object_id IN (:ids)`,
    { ...tables, ids: [...ids] },
  )
  return new Map(
    groups
      .map(({ object_id: id, description }): [number, number] => [
        id,
        idIn(storedArray(description).get(lang)),
      ])
      .filter(([, translation]) => translation > 0),
  )
}
