import { encodePhp } from '#php-serialized'
import { inBatches } from '../../../src/db/sql.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import type { TreePage } from './page-tree.ts'
import { tableOf } from './site-tables.ts'

/** The languages of generated sites. `term`: id of the language's term, and of its taxonomy row. */
const LANGUAGES = {
  en: { term: 2, name: 'English', locale: 'en_US' },
  fr: { term: 3, name: 'Français', locale: 'fr_FR' },
}

const FIRST_TRANSLATION_TERM = 100
const ROWS_PER_STATEMENT = 1000

/** The options of a site with Polylang: the language is a directory of the URL, except the default language. */
export const LANGUAGE_OPTIONS = {
  active_plugins: encodePhp(['polylang/polylang.php']),
  polylang: encodePhp({
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
  }),
}

/** Stores the languages of a site as Polylang does, the language of each page, and which pages are translations of each other. */
export async function insertLanguages(
  { sql }: SqlDatabase,
  blogId: number,
  pages: readonly TreePage[],
): Promise<void> {
  const insert = async (table: Parameters<typeof tableOf>[1], rows: object[]): Promise<void> => {
    for (const batch of inBatches(rows, ROWS_PER_STATEMENT))
      await sql(tableOf(blogId, table)).insert(batch)
  }
  const taxonomy = (
    term_id: number,
    name: string,
    value: Parameters<typeof encodePhp>[0],
    count: number,
  ) => ({
    term_taxonomy_id: term_id,
    term_id,
    taxonomy: name,
    description: encodePhp(value),
    count,
  })
  const related = (object_id: number, term_taxonomy_id: number) => ({ object_id, term_taxonomy_id })
  for (const [slug, { term, name, locale }] of Object.entries(LANGUAGES)) {
    const ofLanguage = pages.filter(({ lang }) => lang === slug)
    const value = { locale, rtl: false, flag_code: slug }
    await insert('terms', [{ term_id: term, name, slug, term_group: slug === 'en' ? 0 : 1 }])
    await insert('term_taxonomy', [taxonomy(term, 'language', value, ofLanguage.length)])
    await insert(
      'term_relationships',
      ofLanguage.map(({ id }) => related(id, term)),
    )
  }
  const pairs = pages
    .filter(({ lang }) => lang === 'en')
    .map(({ id, translation }, index) => ({
      id,
      translation,
      term: FIRST_TRANSLATION_TERM + index,
    }))
  await insert(
    'terms',
    pairs.map(({ term }) => ({ term_id: term, name: `pll_${term}`, slug: `pll_${term}` })),
  )
  await insert(
    'term_taxonomy',
    pairs.map(({ term, id, translation }) =>
      taxonomy(term, 'post_translations', { en: id, fr: translation }, 2),
    ),
  )
  await insert(
    'term_relationships',
    pairs.flatMap(({ term, id, translation }) => [related(id, term), related(translation, term)]),
  )
}
