import type { PhpValue } from '#php-serialized'
import { storedArray } from '../stored-value.ts'

/**
 * Says whether Polylang is loaded on a site, where the lists of active plugins do not: `always` or `never`. An option of a site, or of the
 * network, which the site's own precedes. WordPress lists neither must-use plugins nor what a theme or another plugin loads, and a
 * deactivated Polylang leaves its languages and its options, so the tables alone do not tell the two apart.
 */
export const POLYLANG_SETTING = 'svc_polylang'

/** The options of a site, and of its network, that say whether Polylang is loaded. */
export const ACTIVITY_OPTIONS = ['active_plugins', POLYLANG_SETTING] as const
export const NETWORK_ACTIVITY_OPTIONS = ['active_sitewide_plugins', POLYLANG_SETTING] as const

type Options = ReadonlyMap<string, string>

/** Whether Polylang is loaded, by the stored texts of these options. */
export function isPolylangActive(options: Options | undefined, network: Options): boolean {
  const setting = settingIn(options) ?? settingIn(network)
  if (setting !== undefined) return setting === 'always'
  return isPolylangIn(options?.get('active_plugins')) || isPolylangInNetwork(network)
}

/** Whether an option says it, and not the lists of plugins. */
export function isPolylangSet(options: Options, network: Options): boolean {
  return (settingIn(options) ?? settingIn(network)) !== undefined
}

/** What matters of a network's options for the languages of its sites, as one text: '' for a network without Polylang. */
export function describeNetworkActivity(network: Options): string {
  return [isPolylangInNetwork(network) ? 'polylang' : '', settingIn(network)]
    .filter(Boolean)
    .join(' ')
}

function settingIn(options: Options | undefined): string | undefined {
  const text = options?.get(POLYLANG_SETTING)
  return text === 'always' || text === 'never' ? text : undefined
}

/** Whether the option `active_plugins` of a site lists Polylang. */
export function isPolylangIn(activePlugins: string | undefined): boolean {
  return [...storedArray(activePlugins).values()].some(isPolylang)
}

/** Whether the network's option `active_sitewide_plugins` lists Polylang. */
function isPolylangInNetwork(network: Options): boolean {
  return [...storedArray(network.get('active_sitewide_plugins')).keys()].some(isPolylang)
}

/** The plugin's main file, in a folder of any name (`polylang-pro`). */
function isPolylang(plugin: PhpValue): boolean {
  return typeof plugin === 'string' && /^[^/]+\/polylang\.php$/.test(plugin)
}
