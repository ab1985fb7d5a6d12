import type { Db } from '../../db/database.ts'
import { pagePathSlugs } from '../formatting/slugs.ts'
import type { Languages } from '../languages/languages.ts'
import { idIn, storedArray } from '../serialized/stored-value.ts'
import type { Site } from '../network/site.ts'
import type { LinkedTerm } from '../permalinks/urls.ts'
import { readTerms } from './read-terms.ts'

/** Where a term stands: its taxonomy, and the slugs of its ancestors and its own, percent-encoded or not. */
export type TermPath = { readonly taxonomy: string; readonly path: string }

/** The terms at each of these places, in their order, in one statement: mostly one, several where languages share a slug. */
export async function findTermsByPath(
  db: Db,
  site: Site,
  languages: Languages,
  places: readonly TermPath[],
): Promise<LinkedTerm[][]> {
  const asked = places.map(({ taxonomy, path }) => {
    const slugs = pagePathSlugs(path)
    return { key: `${taxonomy} ${slugs.join('/')}`, slug: slugs.at(-1) ?? '' }
  })
  const slugs = [...new Set(asked.map(({ slug }) => slug).filter((slug) => slug !== ''))]
  const found = new Map<string, LinkedTerm[]>()
  for (const term of await readTerms(db, site, languages, { slugs })) {
    const key = `${term.taxonomy} ${term.path}`
    const others = found.get(key)
    if (others) others.push(term)
    else found.set(key, [term])
  }
  return asked.map(({ key }) => found.get(key) ?? [])
}

/** The ids of these terms in another language, by their own, in one statement (PLL translated-object.php, get_translation). */
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
