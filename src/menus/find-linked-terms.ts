import type { Db } from '../db/database.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import { findTermTranslations, findTermsByPath, readTerms } from '../wordpress/nav-menus/read-terms.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { LinkedTerm } from '../wordpress/permalinks/urls.ts'
import { type UnresolvedObject, chooseObject } from './choose-object.ts'
import type { TermRef } from './object-ref.ts'

/**
 * The term that each of these references names, in their order; in three statements at most.
 * @param into code of the language whose translations are meant; a term without a language is the same in all
 */
export async function resolveTermRefs(
  db: Db,
  site: Site,
  languages: Languages,
  refs: readonly TermRef[],
  into: string | undefined,
): Promise<(LinkedTerm | UnresolvedObject)[]> {
  const places = await findTermsByPath(db, site, languages, refs)
  const strange = places
    .flat()
    .filter(({ lang }) => into !== undefined && ![null, into].includes(lang))
  const strangeIds = strange.map(({ id }) => id)
  const translatedIds = await findTermTranslations(db, site, strangeIds, into ?? '')
  const translations = await readTerms(db, site, languages, { ids: [...translatedIds.values()] })
  return refs.map((ref, index) =>
    chooseObject({
      ref,
      found: places[index] ?? [],
      translationOf: (term) =>
        strange.includes(term)
          ? translations.find(
              ({ id, taxonomy }) => id === translatedIds.get(term.id) && taxonomy === term.taxonomy,
            )
          : term,
      targetLang: into,
      hints: [],
    }),
  )
}
