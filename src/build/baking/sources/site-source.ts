import type { Needs } from '../../../content/markup/evaluation/needs.ts'
import type { Value } from '../../../content/markup/evaluation/program.ts'
import type { LanguageValue, SwitcherLanguage } from '../../../content/markup/evaluation/values.ts'
import { SETTINGS, type SiteField } from '../../../content/markup/value-path.ts'
import type { Db } from '../../../db/database.ts'
import { decodeName } from '../../../wordpress/formatting/plain-text.ts'
import { languageTag } from '../../../wordpress/languages/language-tag.ts'
import { findLanguage, type Language } from '../../../wordpress/languages/languages.ts'
import {
  TRANSLATED_OPTIONS,
  type Translate,
} from '../../../wordpress/languages/string-translations.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { readOptions } from '../../../wordpress/options/read-options.ts'
import {
  HIDDEN_FROM_SEARCH,
  isHiddenFromSearch,
} from '../../../wordpress/options/search-engines.ts'
import type { LinkSettings } from '../../../wordpress/permalinks/link-settings.ts'
import { homeUrl } from '../../../wordpress/permalinks/urls.ts'
import { optionText } from '../../../wordpress/stored-value.ts'

/** Locales written from right to left, for sites without a language plugin. WordPress reads this from its translation files. */
const RIGHT_TO_LEFT = /^(?:ar|ary|azb|ckb|dv|fa|haz|he|ps|sd|skr|snd|ug|ur)(?:_|$)/

/**
 * `site.*` in the language being rendered.
 * @param locale that of the language, or of the site
 */
export function siteFields(
  site: Site,
  links: LinkSettings,
  settings: Settings,
  locale: string,
  lang: string | null,
): Record<SiteField, Value> {
  const language = findLanguage(links.languages, lang)
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
    language_tag: languageTag(locale),
    rtl,
    dir: rtl ? 'rtl' : 'ltr',
    robots: robotsOf(settings.blog_public),
  }
}

/** What WordPress prints for search engines (wp_robots_noindex and wp_robots_max_image_preview_large, robots-template.php). */
const robotsOf = (blogPublic: string): string =>
  isHiddenFromSearch(blogPublic) ? HIDDEN_FROM_SEARCH : 'max-image-preview:large'

/** Values of `settings.*`. */
export type Settings = Readonly<Record<(typeof SETTINGS)[number], string>>

/** Options that WordPress stores as HTML (sanitize_option, formatting.php); their values are decoded to text. */
const STORED_AS_HTML: readonly string[] = ['blogname', 'blogdescription']

/** Reads the texts of `settings.*` as WordPress stores them. A missing option is ''. */
export async function readSettings(db: Db, site: Site): Promise<Settings> {
  const options = await readOptions(db, site, SETTINGS)
  return mapSettings((name) => optionText(options.get(name) ?? ''))
}

/** `settings.*` in a language: texts that Polylang translates are translated, and HTML is decoded to text. */
export function settingsIn(stored: Settings, translate: Translate): Settings {
  return mapSettings((name) => {
    const text = TRANSLATED_OPTIONS.includes(name) ? translate(stored[name]) : stored[name]
    return STORED_AS_HTML.includes(name) ? decodeName(text) : text
  })
}

const mapSettings = (textOf: (name: (typeof SETTINGS)[number]) => string): Settings =>
  Object.fromEntries(SETTINGS.map((name) => [name, textOf(name)])) as Settings

/** The names of the options in `site.*` and `settings.*` that Polylang may translate. */
export function translatedNames({ site, settings }: Needs): (typeof SETTINGS)[number][] {
  const read = [
    ...settings,
    ...(site.includes('title') ? ['blogname'] : []),
    ...(site.includes('description') ? ['blogdescription'] : []),
  ]
  return SETTINGS.filter((name) => TRANSLATED_OPTIONS.includes(name) && read.includes(name))
}

/** The fields with these names that exist. */
export function pickFields(
  fields: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]),
  )
}

/** `languages`: the active languages in Polylang's order, including those without content (pll_languages_list). */
export function languageRows(links: LinkSettings): LanguageValue[] {
  return activeLanguages(links).map((language) => languageRow(links, language))
}

/** The active languages for switchers in menus. */
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
