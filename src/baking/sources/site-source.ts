import type { Db } from '../../db/database.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { findLanguage, type Language } from '../../wordpress/languages/languages.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOptions } from '../../wordpress/options/read-options.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { homeUrl } from '../../wordpress/permalinks/urls.ts'
import { optionText } from '../../wordpress/serialized/stored-value.ts'
import type { Value } from '../program.ts'
import type { LanguageValue, SwitcherLanguage } from '../values.ts'

/** Locales written from right to left, for sites whose languages no plugin keeps; WordPress has it in its translations. */
const RIGHT_TO_LEFT = /^(?:ar|ary|azb|ckb|dv|fa|haz|he|ps|sd|skr|snd|ug|ur)(?:_|$)/

/** `site.*`: what a layout says of the site, in the language being rendered. */
export function siteFields(
  site: Site,
  links: LinkSettings,
  settings: Settings,
  lang: string | null,
): Record<string, Value> {
  const language = findLanguage(links.languages, lang)
  const locale = language?.locale ?? (settings.WPLANG || 'en_US')
  const rtl = language?.rtl ?? RIGHT_TO_LEFT.test(locale)
  return {
    id: site.blogId,
    title: settings.blogname,
    description: settings.blogdescription,
    url: homeUrl(links, language?.slug ?? null),
    home: links.home,
    domain: site.domain,
    lang: language?.slug ?? locale.split('_')[0],
    locale,
    rtl,
    dir: rtl ? 'rtl' : 'ltr',
  }
}

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

/** `languages`: those of the site that visitors are shown, in Polylang's order; with those that are still empty (pll_languages_list). */
export function languageRows(links: LinkSettings): LanguageValue[] {
  return activeLanguages(links).map((language) => languageRow(links, language))
}

/** The same for switchers in menus. */
export function switcherLanguages(links: LinkSettings): SwitcherLanguage[] {
  return activeLanguages(links).map((language) => ({
    id: language.id,
    ...languageRow(links, language),
  }))
}

function activeLanguages({ languages }: LinkSettings): Language[] {
  return languages.list.filter(({ active }) => active)
}

function languageRow(
  links: LinkSettings,
  { slug, locale, name, rtl, hasContent }: Language,
): LanguageValue {
  return {
    slug,
    locale,
    name: decodeName(name),
    rtl,
    url: homeUrl(links, slug),
    ...(hasContent ? {} : { empty: true }),
  }
}
