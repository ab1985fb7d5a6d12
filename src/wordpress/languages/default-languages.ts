import type { Db } from '../../db/database.ts'
import { readNetworkOption } from '../network/network-option.ts'
import type { Site } from '../network/site.ts'
import { readOptionsOfSites } from '../options/read-options-of-sites.ts'
import { storedArray } from '../serialized/stored-value.ts'
import { isPolylangIn, isPolylangInNetwork } from './languages.ts'
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
    'WPLANG',
  ]
  const networks = await readNetworkDefaults(db, sites)
  const languages = new Map<number, readonly string[]>()
  const read = await readOptionsOfSites(db, sites, wanted)
  for (const { blogId, networkId } of sites) {
    const options = read.get(blogId)
    if (!options) continue
    const network = networks.get(networkId)
    const hasPolylang =
      isPolylangIn(options.get('active_plugins')) || isPolylangInNetwork(network?.plugins)
    const { defaultLang } = polylangSettings(storedArray(options.get('polylang')))
    languages.set(
      blogId,
      hasPolylang && defaultLang !== ''
        ? [defaultLang]
        : namesOf((options.get('WPLANG') ?? network?.locale) || 'en_US'),
    )
  }
  return languages
}

const namesOf = (locale: string): string[] => [...new Set([locale, locale.replace(/_.*/s, '')])]

type NetworkDefaults = { readonly locale: string | undefined; readonly plugins: string | undefined }

/** The locale and the active plugins of the networks of these sites, by the network's id. */
async function readNetworkDefaults(
  db: Db,
  sites: readonly Site[],
): Promise<ReadonlyMap<number, NetworkDefaults>> {
  const networks = new Map(sites.map(({ networkId, globals }) => [networkId, globals]))
  const defaults = new Map<number, NetworkDefaults>()
  for (const [id, globals] of networks) {
    const [locale, plugins] = await Promise.all([
      readNetworkOption(db, globals, id, 'WPLANG'),
      readNetworkOption(db, globals, id, 'active_sitewide_plugins'),
    ])
    defaults.set(id, { locale, plugins })
  }
  return defaults
}
