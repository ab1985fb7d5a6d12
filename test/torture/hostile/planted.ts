import type { Site } from '../../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import type { Random } from '../support/random.ts'
import { TEXTS } from './corpus.ts'

/** One value of a row that WordPress, a plugin or an older endpoint may have written in any form. */
type Cell = {
  readonly table: string
  readonly column: string
  /** Selects the first matching row; it is created if there is none. */
  readonly where: Readonly<Record<string, string | number>>
  /** Its primary key. */
  readonly key: string
  /** Maximum length in characters. */
  readonly size: number
}

const LONG = 1_000_000
const OPTIONS = [
  'theme_mods_opal',
  'polylang',
  'svc_frames',
  'svc_frames_version',
  'nav_menu_options',
  'home',
  'siteurl',
  'permalink_structure',
  'stylesheet',
  'active_plugins',
  'rewrite_rules',
  'page_on_front',
  'show_on_front',
  'category_base',
  'blogname',
  'date_format',
  'WPLANG',
]
const ITEM_META = ['menu_item_parent', 'object_id', 'object', 'type', 'classes', 'url', 'target']

/** @param page a page of the site @param frame id of one of its frames */
function cellsOf({ tables, globals, blogId }: Site, page: number, frame: string): Cell[] {
  const { options, posts, postmeta, terms, termTaxonomy } = tables
  const option = (option_name: string): Cell => ({
    table: options,
    column: 'option_value',
    key: 'option_id',
    size: LONG,
    where: { option_name },
  })
  const meta = (meta_key: string): Cell => ({
    table: postmeta,
    column: 'meta_value',
    key: 'meta_id',
    size: LONG,
    where: { meta_key },
  })
  const post = (column: string, size: number, where = {}): Cell => ({
    table: posts,
    column,
    key: 'ID',
    size,
    where: { ID: page, ...where },
  })
  const blog = (column: string, size: number): Cell => ({
    table: globals.blogs,
    column,
    key: 'blog_id',
    size,
    where: { blog_id: blogId },
  })
  const records = [`svc_frame_${frame}`, `svc_frame_${frame}_meta`, `svc_frame_${frame}_baked`]
  return [
    ...[...OPTIONS, ...records].map(option),
    ...ITEM_META.map((name) => meta(`_menu_item_${name}`)),
    meta('_svc_frame'),
    post('post_name', 200),
    post('post_title', LONG),
    post('post_parent', 20),
    post('post_content', LONG),
    post('post_status', 20),
    blog('domain', 200),
    blog('path', 100),
    { table: terms, column: 'slug', key: 'term_id', size: 200, where: { slug: 'fuzz-menu' } },
    { table: terms, column: 'slug', key: 'term_id', size: 200, where: { slug: 'en' } },
    ...['language', 'post_translations', 'nav_menu'].map((taxonomy) => ({
      table: termTaxonomy,
      column: 'description',
      key: 'term_taxonomy_id',
      size: LONG,
      where: { taxonomy },
    })),
  ]
}

const nested = (levels: number): string => `${'a:1:{i:0;'.repeat(levels)}N;${'}'.repeat(levels)}`
const entry = (key: string, value: string): string => `s:${key.length}:"${key}";${value}`
const VALUES: readonly string[] = [
  ...TEXTS,
  'a:1:{s:18:"nav_menu_locations";',
  `a:1:{${entry('nav_menu_locations', 's:1:"x";')}}`,
  `a:1:{${entry('nav_menu_locations', `a:1:{${entry('__proto__', 'i:1;')}}`)}}`,
  `a:2:{${entry('__proto__', `a:1:{${entry('polluted', 'b:1;')}}`)}${entry('constructor', 'N;')}}`,
  `a:1:{${entry('slugs', `a:1:{${entry('__proto__', 's:3:"../";')}}`)}}`,
  `a:1:{${entry('html', 'i:1;')}}`,
  'a:1:{i:0;R:1;}',
  'a:999999999:{}',
  'O:8:"stdClass":1:{s:1:"a";N;}',
  'a:1:{i:0;i:1',
  's:-1:"";',
  nested(100),
  nested(LONG / 20),
  'x'.repeat(LONG),
  `s:${LONG - 20}:"${'x'.repeat(LONG - 20)}";`,
  `a:${LONG / 20}:{${Array.from({ length: LONG / 20 }, (_, at) => `i:${at};i:1;`).join('')}}`,
  '{"__proto__":{"a":1}}',
  '[',
  '{"html":{}}',
  'null',
  '[['.repeat(LONG / 2),
]

/**
 * Writes damaged values into one cell after the other, and restores each one after `meanwhile`.
 * @param meanwhile receives a description of the damage
 */
export async function plant(
  { sql }: SqlDatabase,
  site: Site,
  about: { readonly page: number; readonly frame: string },
  { random, times }: { readonly random: Random; readonly times: number },
  meanwhile: (what: string) => Promise<void>,
): Promise<void> {
  const cells = cellsOf(site, about.page, about.frame)
  for (let time = 0; time < times; time += 1) {
    const { table, column, where, key, size } = random.pick(cells)
    const value = random.pick(VALUES).slice(0, size)
    const row = await sql(table).where(where).first()
    const own = row ? { [key]: row[key] } : where
    const written = row
      ? sql(table)
          .where(own)
          .update({ [column]: value })
      : sql(table).insert({ ...where, [column]: value })
    // The column refuses this value, so nobody can have written it.
    if (
      !(await written.then(
        () => true,
        () => false,
      ))
    )
      continue
    const shown = `${JSON.stringify(value.slice(0, 100))}${value.length > 100 ? ` (${value.length})` : ''}`
    await meanwhile(`${table}.${column} of ${JSON.stringify(where)} is ${shown}`)
    await (row
      ? sql(table)
          .where(own)
          .update({ [column]: row[column] })
      : sql(table).where(own).delete())
  }
}
