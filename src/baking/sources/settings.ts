import type { Db } from '../../db/database.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { optionText } from '../../wordpress/serialized/stored-value.ts'
import { readOptions } from '../../wordpress/options/read-options.ts'
import type { Value } from '../program.ts'

/** The options that markup may print: harmless ones, never a secret (decisions, section 6). */
export const SETTINGS = [
  'blogname',
  'blogdescription',
  'home',
  'siteurl',
  'WPLANG',
  'timezone_string',
  'gmt_offset',
  'date_format',
  'time_format',
  'start_of_week',
  'posts_per_page',
  'show_on_front',
  'page_on_front',
  'page_for_posts',
  'wp_page_for_privacy_policy',
  'permalink_structure',
  'blog_public',
  'site_icon',
  'stylesheet',
] as const

/** `settings.*`: texts. */
export type Settings = Readonly<Record<(typeof SETTINGS)[number], string>>

/** Names and descriptions are stored as HTML (sanitize_option, formatting.php); as values they are text. */
const STORED_AS_HTML: readonly string[] = ['blogname', 'blogdescription']

/** `settings.*`: a fixed list of options; one that the site lacks is empty. */
export async function readSettings(db: Db, site: Site): Promise<Settings> {
  const options = await readOptions(db, site, SETTINGS)
  const entries = SETTINGS.map((name): [string, string] => {
    const value = optionText(options.get(name) ?? '')
    return [name, STORED_AS_HTML.includes(name) ? decodeName(value) : value]
  })
  return Object.fromEntries(entries) as Settings
}

/** The named ones of these fields that are there. */
export function pickFields(
  fields: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]),
  )
}
