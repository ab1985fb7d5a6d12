import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { readNetworkOption } from '../network/network-option.ts'
import type { Site } from '../network/site.ts'
import { readOption, readOptions } from '../options/read-options.ts'
import type { PhpValue } from '../serialized/php-value.ts'
import { storedArray } from '../serialized/stored-value.ts'
import { isTruthy, type PolylangSettings, polylangSettings } from './polylang-settings.ts'

/** A language of a site; Polylang stores languages as terms. */
export type Language = {
  /** `term_id`. */
  readonly id: number
  /** The code in URLs and in the keys of Polylang's maps: `fr`, `pt-br`. */
  readonly slug: string
  /** WordPress's locale: `fr_FR`. */
  readonly locale: string
  /** As stored: a term's name, with `&` and `<` encoded. */
  readonly name: string
  /** Written from right to left. */
  readonly rtl: boolean
  /** Shown to visitors; Polylang Pro can deactivate a language. */
  readonly active: boolean
  /** Whether it has published posts or pages by WordPress's term counts: Polylang's switchers hide other languages. */
  readonly hasContent: boolean
}

/** The languages of a site. Without Polylang, or before it has a language, the list is empty. */
export type Languages = {
  /** Whether Polylang is active on the site. Its settings and terms remain after deactivation, so they do not prove it. */
  readonly active: boolean
  /** In Polylang's order. */
  readonly list: readonly Language[]
  /** Slug of the default language; null if there is none. */
  readonly default: string | null
  readonly settings: PolylangSettings
}

/** The language with this code. */
export function findLanguage(languages: Languages, slug: string | null): Language | undefined {
  return languages.list.find((language) => language.slug === slug)
}

/** A term of the taxonomy `language`. */
export type LanguageRow = {
  readonly term_id: number
  readonly count: number
  readonly slug: string
  readonly name: string
  readonly description: string
}

/**
 * Reads a site's languages in two concurrent statements, from its terms and never from Polylang's cache of them. Polylang counts as active
 * if the site or its network lists it; the tables do not show whether its files exist.
 */
export async function readLanguages(db: Db, site: Site): Promise<Languages> {
  const [options, { sitewide, rows }] = await Promise.all([
    readOptions(db, site, ['active_plugins', 'polylang']),
    readRowsAndPlugins(db, site),
  ])
  return languagesIn(options, sitewide, rows)
}

/**
 * The languages from the stored texts of a site's options and the terms of its languages, in Polylang's order.
 * @param sitewide the network's option `active_sitewide_plugins`
 */
export function languagesIn(
  options: ReadonlyMap<string, string>,
  sitewide: string | undefined,
  rows: readonly LanguageRow[],
): Languages {
  const active = isPolylangIn(options.get('active_plugins')) || isPolylangInNetwork(sitewide)
  const settings = polylangSettings(storedArray(options.get('polylang')))
  const list = active ? rows.map(languageOf) : []
  const chosen = list.find((language) => language.slug === settings.defaultLang) ?? list[0]
  return { active, list, default: chosen?.slug ?? null, settings }
}

/** Whether the option `active_plugins` of a site lists Polylang. */
export function isPolylangIn(activePlugins: string | undefined): boolean {
  return [...storedArray(activePlugins).values()].some(isPolylang)
}

/** Whether the network's option `active_sitewide_plugins` lists Polylang. */
export function isPolylangInNetwork(sitewidePlugins: string | undefined): boolean {
  return [...storedArray(sitewidePlugins).keys()].some(isPolylang)
}

/** The plugin's main file, in a folder of any name (`polylang-pro`). */
function isPolylang(plugin: PhpValue): boolean {
  return typeof plugin === 'string' && /^[^/]+\/polylang\.php$/.test(plugin)
}

/**
 * The languages' terms in Polylang's order (PLL Model/Languages.php, get_terms), and the network's option `active_sitewide_plugins`; of its
 * duplicates, the oldest is read (get_network_option, option.php).
 */
async function readRowsAndPlugins(
  db: Db,
  { tables, globals, networkId }: Site,
): Promise<{ sitewide: string | undefined; rows: LanguageRow[] }> {
  const found = await readRows<
    { [Key in keyof LanguageRow]: LanguageRow[Key] | null } & { meta: string }
  >(
    db,
    // The columns of the order are selected, so that kept results are validated with them.
    `SELECT t.term_id, t.slug, t.name, tt.description, tt.count, sm.meta_value AS meta, t.term_group, sm.meta_id
      FROM (SELECT 1) one
      LEFT JOIN :sitemeta: sm ON sm.site_id = :networkId AND sm.meta_key = 'active_sitewide_plugins'
      LEFT JOIN (:taxonomy: tt JOIN :terms: t ON t.term_id = tt.term_id) ON tt.taxonomy = 'language'
      ORDER BY sm.meta_id, t.term_group, t.term_id`,
    {
      sitemeta: globals.sitemeta,
      networkId,
      taxonomy: tables.termTaxonomy,
      terms: tables.terms,
    },
  )
  const rows = new Map<string, LanguageRow>()
  for (const { term_id, slug, name, description, count } of found) {
    if (slug === null || rows.has(slug)) continue
    rows.set(slug, {
      term_id: term_id ?? 0,
      slug,
      name: name ?? '',
      description: description ?? '',
      count: Number(count),
    })
  }
  return { sitewide: found[0]?.meta, rows: [...rows.values()] }
}

function languageOf({ term_id, slug, name, description, count }: LanguageRow): Language {
  const details = storedArray(description)
  const locale = details.get('locale')
  return {
    id: term_id,
    slug,
    name,
    locale: typeof locale === 'string' && locale !== '' ? locale : slug,
    rtl: isTruthy(details.get('rtl') ?? false),
    active: isTruthy(details.get('active') ?? true),
    hasContent: count > 0,
  }
}

/** The site's locale, such as `de_DE`: the site's own option, even if empty, takes precedence over the network's (get_locale, l10n.php). */
export async function readLocale(db: Db, site: Site): Promise<string> {
  const [own, shared] = await Promise.all([
    readOption(db, site, 'WPLANG'),
    readNetworkOption(db, site.globals, site.networkId, 'WPLANG'),
  ])
  return (own ?? shared) || 'en_US'
}
