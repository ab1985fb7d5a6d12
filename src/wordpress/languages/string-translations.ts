import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'
import { arrayIn, storedArray } from '../stored-value.ts'
import type { Languages } from './languages.ts'

/** The key of a language's translated texts, among the meta values of its term; before Polylang 3.4, of a post of this type. */
export const STRINGS_META_KEY = '_pll_strings_translations'
export const STRINGS_POST_TYPE = 'polylang_mo'

/** The options whose texts Polylang translates (PLL base.php, init). */
export const TRANSLATED_OPTIONS: readonly string[] = [
  'blogname',
  'blogdescription',
  'date_format',
  'time_format',
]

/** A text as Polylang translates it into a language; the text itself without a translation. */
export type Translate = (text: string) => string

/** Reads the translations of a site's texts by the code of their language, in one statement (PLL mo.php, import_from_db). */
export async function readStringTranslations(
  db: Db,
  site: Site,
  { list, settings }: Languages,
): Promise<ReadonlyMap<string, Translate>> {
  if (list.length === 0) return new Map()
  const ids = list.map(({ id }) => id)
  const stored = storesInPosts(settings.version)
    ? await readFromPosts(db, site, ids)
    : await readFromTerms(db, site, ids)
  return new Map(
    list.flatMap(({ id, slug }) => {
      const texts = stored.get(id)
      return texts === undefined ? [] : [[slug, translateBy(texts)]]
    }),
  )
}

/** A site may have thousands of texts, and none of those that it looks for: they are decoded at the first one that they contain. */
function translateBy(stored: string): Translate {
  let decoded: ReadonlyMap<string, string> | undefined
  return (text) => {
    if (!stored.includes(text)) return text
    decoded ??= decodeTranslations(stored)
    return decoded.get(keyOf(text)) || text
  }
}

function decodeTranslations(stored: string): ReadonlyMap<string, string> {
  const translations = new Map<string, string>()
  for (const entry of storedArray(stored).values()) {
    const [original, translation] = [arrayIn(entry).get(0), arrayIn(entry).get(1)].map((text) =>
      typeof text === 'string' ? text : '',
    )
    // The entries are those of MO files: a null byte separates plural forms, and line ends are equal.
    if (original && translation) translations.set(keyOf(original), singularOf(translation))
  }
  return translations
}

const singularOf = (text: string): string => text.split('\0', 1)[0] ?? ''
const keyOf = (text: string): string => singularOf(text).replace(/\r\n?/g, '\n')

/** Whether this version of Polylang is older than 3.4. An option without a version is read like the current one. */
function storesInPosts(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? []
  return major !== undefined && (Number(major) < 3 || (Number(major) === 3 && Number(minor) < 4))
}

type Texts = ReadonlyMap<number, string>

/** Of duplicates, the oldest applies (get_metadata, meta.php): it is the last row. */
async function readFromTerms(db: Db, { tables }: Site, ids: readonly number[]): Promise<Texts> {
  const rows = await readRows<{ term_id: number; text: string | null }>(
    db,
    `SELECT term_id, meta_value AS text, meta_id FROM :termmeta:
      WHERE term_id IN (:ids) AND meta_key = :key ORDER BY meta_id DESC`,
    { termmeta: tables.termmeta, ids: [...ids], key: STRINGS_META_KEY },
  )
  return new Map(rows.map(({ term_id, text }) => [Number(term_id), text ?? '']))
}

/** Before 2.1, the texts are the content of the post; later, its meta value. */
async function readFromPosts(db: Db, { tables }: Site, ids: readonly number[]): Promise<Texts> {
  const titles = new Map(ids.map((id) => [`${STRINGS_POST_TYPE}_${id}`, id]))
  const rows = await readRows<{ title: string; content: string; meta: string | null }>(
    db,
    `SELECT p.post_title AS title, p.post_content AS content, m.meta_value AS meta, p.ID, m.meta_id FROM :posts: p
      LEFT JOIN :postmeta: m ON m.post_id = p.ID AND m.meta_key = :key
      WHERE p.post_type = :type AND p.post_title IN (:titles) ORDER BY p.ID DESC, m.meta_id DESC`,
    { ...tables, key: STRINGS_META_KEY, type: STRINGS_POST_TYPE, titles: [...titles.keys()] },
  )
  return new Map(rows.map(({ title, content, meta }) => [titles.get(title) ?? 0, meta ?? content]))
}
