import { encodePhp } from '#php-serialized'
import type { Database } from '../../../../src/db/database.ts'
import { insertRows } from '../../../../src/db/sql.ts'
import type { InsertedRow } from '../../../../src/db/written-tables.ts'
import type { Lang, TreePage } from './page-tree.ts'
import { tableOf } from './site-tables.ts'

/** Polylang's main file, as the option `active_plugins` lists it. */
export const POLYLANG = 'polylang/polylang.php'

/** The languages of generated sites. `term`: id of the language's term, and of its taxonomy row. */
export const LANGUAGES: Readonly<
  Record<Lang, { readonly term: number; readonly name: string; readonly locale: string }>
> = {
  en: { term: 2, name: 'English', locale: 'en_US' },
  fr: { term: 3, name: 'Français', locale: 'fr_FR' },
}

const FIRST_TRANSLATION_TERM = 100

/** Polylang's option `polylang`: the language is a directory of the URL, except the default language. */
export const POLYLANG_OPTION = encodePhp({
  force_lang: 1,
  domains: [],
  hide_default: true,
  rewrite: true,
  redirect_lang: false,
  browser: false,
  media_support: false,
  post_types: [],
  taxonomies: [],
  sync: [],
  default_lang: 'en',
  nav_menus: {},
  version: '3.8.7',
})

/** Stores the languages of a site as Polylang does, the language of each page, and which pages are translations of each other. */
export async function insertLanguages(
  db: Database,
  blogId: number,
  pages: readonly TreePage[],
): Promise<void> {
  const languages = Object.entries(LANGUAGES).map(([slug, language], order) => ({
    slug,
    order,
    ...language,
    description: encodePhp({ locale: language.locale, rtl: false, flag_code: slug }),
    count: pages.filter(({ lang }) => lang === slug).length,
  }))
  const pairs = pages
    .filter(({ lang }) => lang === 'en')
    .map((page, index) => ({ ...page, term: FIRST_TRANSLATION_TERM + index }))
  const terms = [
    ...languages.map(({ term, name, slug, order }) => termRow(term, name, slug, order)),
    ...pairs.map(({ term }) => termRow(term, `pll_${term}`, `pll_${term}`, 0)),
  ]
  const taxonomies = [
    ...languages.map(({ term, description, count }) =>
      taxonomyRow(term, 'language', description, count),
    ),
    ...pairs.map(({ term, id, translation }) =>
      taxonomyRow(term, 'post_translations', encodePhp({ en: id, fr: translation }), 2),
    ),
  ]
  const relationships = [
    ...pages.map(({ id, lang }) => relationshipRow(id, LANGUAGES[lang ?? 'en'].term)),
    ...pairs.flatMap(({ term, id, translation }) => [
      relationshipRow(id, term),
      relationshipRow(translation, term),
    ]),
  ]
  await db.write({}, (tx) =>
    insertRows(tx, [
      { table: tableOf(blogId, 'terms'), rows: terms },
      { table: tableOf(blogId, 'term_taxonomy'), rows: taxonomies },
      { table: tableOf(blogId, 'term_relationships'), rows: relationships },
    ]),
  )
}

const termRow = (term_id: number, name: string, slug: string, term_group: number): InsertedRow => ({
  term_id,
  name,
  slug,
  term_group,
})

const taxonomyRow = (
  id: number,
  taxonomy: string,
  description: string,
  count: number,
): InsertedRow => ({ term_taxonomy_id: id, term_id: id, taxonomy, description, count })

const relationshipRow = (object_id: number, term_taxonomy_id: number): InsertedRow => ({
  object_id,
  term_taxonomy_id,
})
