import type { Db } from '../../db/database.ts'
import { readNetworkOptions } from '../network/network-option.ts'
import { commonText, selectFromSites } from '../network/select-from-sites.ts'
import type { Site } from '../network/site.ts'
import { readOptionsOfSites } from '../options/read-options-of-sites.ts'
import { storedArray } from '../stored-value.ts'
import { type LanguageRow, type Languages, languagesIn } from './languages.ts'
import {
  ACTIVITY_OPTIONS,
  isPolylangActive,
  NETWORK_ACTIVITY_OPTIONS,
  POLYLANG_SETTING,
} from './polylang-activity.ts'
import { polylangSettings } from './polylang-settings.ts'

/**
 * The texts that name the default language of each site, by blog id: with Polylang its code, `fr`; otherwise the locale, `fr_FR`, and the
 * language of the locale, `fr`. One statement for 200 sites. Sites whose options cannot be read are left out.
 */
export async function readDefaultLanguages(
  db: Db,
  sites: readonly Site[],
): Promise<Map<number, readonly string[]>> {
  const wanted = [
    { name: 'active_plugins', containing: ['polylang'] },
    { name: 'polylang', containing: ['default_lang'] },
    POLYLANG_SETTING,
    'WPLANG',
  ]
  const networks = await readNetworkDefaults(db, sites)
  const languages = new Map<number, readonly string[]>()
  const read = await readOptionsOfSites(db, sites, wanted)
  for (const { blogId, networkId } of sites) {
    const options = read.get(blogId)
    if (!options) continue
    const network = networks.get(networkId) ?? NO_OPTIONS
    const hasPolylang = isPolylangActive(options, network)
    const { defaultLang } = polylangSettings(storedArray(options.get('polylang')))
    languages.set(
      blogId,
      hasPolylang && defaultLang !== ''
        ? [defaultLang]
        : namesOf((options.get('WPLANG') ?? network.get('WPLANG')) || 'en_US'),
    )
  }
  return languages
}

const namesOf = (locale: string): string[] => [...new Set([locale, locale.replace(/_.*/s, '')])]

/**
 * Reads the languages of many sites, by blog id, with one statement for the options of 200 sites, and one for their terms. Sites that cannot
 * be read are left out.
 */
export async function readLanguagesOfSites(
  db: Db,
  sites: readonly Site[],
): Promise<Map<number, Languages>> {
  const networks = await readNetworkDefaults(db, sites)
  const options = await readOptionsOfSites(db, sites, [...ACTIVITY_OPTIONS, 'polylang'])
  const networkOf = ({ networkId }: Site) => networks.get(networkId) ?? NO_OPTIONS
  const isActive = (site: Site) => isPolylangActive(options.get(site.blogId), networkOf(site))
  const terms = await selectFromSites<LanguageRow & { readonly blog_id: number }>(
    db,
    sites.filter(isActive),
    ({ blogId, tables }) => ({
      statement: `SELECT :blogId AS blog_id, t.term_id, ${commonText('t.slug')} AS slug, ${commonText('t.name')} AS name,
          ${commonText('tt.description')} AS description, tt.count
        FROM :termTaxonomy: tt JOIN :terms: t ON t.term_id = tt.term_id WHERE tt.taxonomy = 'language'
        ORDER BY t.term_group, t.term_id LIMIT ${MAX_LANGUAGES}`,
      values: { blogId, ...tables },
    }),
  )
  return new Map(
    sites.flatMap((site) => {
      const own = options.get(site.blogId)
      const rows = terms.get(site.blogId) ?? []
      return own ? [[site.blogId, languagesIn(own, networkOf(site), rows)]] : []
    }),
  )
}

/** More than any site has. Without a limit, MariaDB ignores the order of a part of a union. */
const MAX_LANGUAGES = 1000

const NO_OPTIONS: ReadonlyMap<string, string> = new Map()

/** The locale and what says whether Polylang is loaded, of the networks of these sites, by the network's id. */
async function readNetworkDefaults(
  db: Db,
  sites: readonly Site[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, string>>> {
  const [site] = sites
  const ids = [...new Set(sites.map(({ networkId }) => networkId))]
  const names = ['WPLANG', ...NETWORK_ACTIVITY_OPTIONS]
  return site ? readNetworkOptions(db, site.globals, ids, names) : new Map()
}
