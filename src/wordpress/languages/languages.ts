import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { errorOf } from '../../host/errors.ts'
import { readNetworkOption } from '../network/network-option.ts'
import type { Site } from '../network/site.ts'
import { readOption, readOptions } from '../options/read-options.ts'
import { storedArray } from '../stored-value.ts'
import {
  ACTIVITY_OPTIONS,
  isPolylangActive,
  NETWORK_ACTIVITY_OPTIONS,
} from './polylang-activity.ts'
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
  /** Whether Polylang is loaded on the site (`isPolylangActive`). Its settings and terms remain after deactivation, so they do not prove it. */
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

/** @throws AppError `polylang_inactive` on a site without Polylang; `unknown_language` */
export function assertLanguage(languages: Languages, lang: string): void {
  if (!languages.active) throw errorOf('polylang_inactive', {})
  if (findLanguage(languages, lang)) return
  throw errorOf('unknown_language', { languages: languages.list.map(({ slug }) => slug) })
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
 * Reads a site's languages in two concurrent statements, from its terms and never from Polylang's cache of them. The tables do not show
 * whether the files of a plugin that they list exist.
 */
export async function readLanguages(db: Db, site: Site): Promise<Languages> {
  const [options, { network, rows }] = await Promise.all([
    readOptions(db, site, [...ACTIVITY_OPTIONS, 'polylang']),
    readRowsAndNetwork(db, site),
  ])
  return languagesIn(options, network, rows)
}

/**
 * The languages from the stored texts of a site's options and the terms of its languages, in Polylang's order.
 * @param network the network's options `NETWORK_ACTIVITY_OPTIONS`
 */
export function languagesIn(
  options: ReadonlyMap<string, string>,
  network: ReadonlyMap<string, string>,
  rows: readonly LanguageRow[],
): Languages {
  const active = isPolylangActive(options, network)
  const settings = polylangSettings(storedArray(options.get('polylang')))
  const list = active ? rows.map(languageOf) : []
  const chosen = list.find((language) => language.slug === settings.defaultLang) ?? list[0]
  return { active, list, default: chosen?.slug ?? null, settings }
}

/**
 * The languages' terms in Polylang's order (PLL Model/Languages.php, get_terms), and the network's options; of their duplicates, the oldest
 * is read (get_network_option, option.php).
 */
async function readRowsAndNetwork(
  db: Db,
  { tables, globals, networkId }: Site,
): Promise<{ network: ReadonlyMap<string, string>; rows: LanguageRow[] }> {
  const found = await readRows<
    { [Key in keyof LanguageRow]: LanguageRow[Key] | null } & {
      readonly meta: string | null
      readonly meta_key: string | null
    }
  >(
    db,
    // The columns of the order are selected, so that kept results are validated with them.
    `SELECT t.term_id, t.slug, t.name, tt.description, tt.count, sm.meta_key, sm.meta_value AS meta, t.term_group, sm.meta_id
      FROM (SELECT 1) one
      LEFT JOIN :sitemeta: sm ON sm.site_id = :networkId AND sm.meta_key IN (:names)
      LEFT JOIN (:termTaxonomy: tt JOIN :terms: t ON t.term_id = tt.term_id) ON tt.taxonomy = 'language'
      ORDER BY sm.meta_id, t.term_group, t.term_id`,
    { ...globals, ...tables, networkId, names: NETWORK_ACTIVITY_OPTIONS },
  )
  const rows = new Map<string, LanguageRow>()
  const network = new Map<string, string>()
  for (const { term_id, slug, name, description, count, meta_key, meta } of found) {
    if (meta_key !== null && !network.has(meta_key)) network.set(meta_key, meta ?? '')
    if (slug === null || rows.has(slug)) continue
    rows.set(slug, {
      term_id: term_id ?? 0,
      slug,
      name: name ?? '',
      description: description ?? '',
      count: Number(count),
    })
  }
  return { network, rows: [...rows.values()] }
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
