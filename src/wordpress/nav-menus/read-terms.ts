import type { Db } from '../../db/database.ts'
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
  const { terms, termTaxonomy, termRelationships } = site.tables
  const { sql } = db
  const lang =
    languages.list.length === 0
      ? sql.raw('NULL')
      : sql({ tr: termRelationships })
          .join({ ltt: termTaxonomy }, 'ltt.term_taxonomy_id', 'tr.term_taxonomy_id')
          .join({ lt: terms }, 'lt.term_id', 'ltt.term_id')
          .where({ 'tr.object_id': sql.ref('tt.term_id'), 'ltt.taxonomy': 'term_language' })
          .orderBy('lt.name')
          .limit(1)
          .select('lt.slug')
  const rows: TermRow[] = await sql
    .withRecursive('lineage', ['term_taxonomy_id'], (selected) => {
      selected
        .select('term_taxonomy_id')
        .from(termTaxonomy)
        .modify((query) => {
          if (ids) query.whereIn('term_id', ids)
          else query.whereIn('term_id', sql(terms).whereIn('slug', slugs).select('term_id'))
        })
        .union((parents) => {
          parents
            .select('parent.term_taxonomy_id')
            .from('lineage')
            .join({ child: termTaxonomy }, 'child.term_taxonomy_id', 'lineage.term_taxonomy_id')
            .join({ parent: termTaxonomy }, (on) => {
              on.on('parent.term_id', 'child.parent').on('parent.taxonomy', 'child.taxonomy')
            })
        })
    })
    .from('lineage')
    .join({ tt: termTaxonomy }, 'tt.term_taxonomy_id', 'lineage.term_taxonomy_id')
    .join({ t: terms }, 't.term_id', 'tt.term_id')
    .select('t.term_id', 'tt.taxonomy', 't.name', 't.slug', 'tt.parent')
    .select({ lang })
  return [...new Set(rows.map((row) => row.taxonomy))].flatMap((taxonomy) => {
    const family = rows.filter((row) => row.taxonomy === taxonomy)
    const parts = new Map(family.map((row) => [row.term_id, row]))
    return family.map((row) => termOf(row, pagePath(parts, row.term_id), languages))
  })
}

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
  const found = new Map<string, LinkedTerm[]>()
  for (const term of await readTerms(db, site, languages, { slugs })) {
    const key = `${term.taxonomy} ${term.path}`
    const others = found.get(key)
    if (others) others.push(term)
    else found.set(key, [term])
  }
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
  const groups: { object_id: number; description: string }[] = await db
    .sql({ tr: tables.termRelationships })
    .join({ tt: tables.termTaxonomy }, 'tt.term_taxonomy_id', 'tr.term_taxonomy_id')
    .where('tt.taxonomy', 'term_translations')
    .whereIn('tr.object_id', ids)
    .select('tr.object_id', 'tt.description')
  return new Map(
    groups
      .map(({ object_id: id, description }): [number, number] => [
        id,
        idIn(storedArray(description).get(lang)),
      ])
      .filter(([, translation]) => translation > 0),
  )
}
