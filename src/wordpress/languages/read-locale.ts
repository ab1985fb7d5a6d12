import type { Db } from '../../db/database.ts'
import { readNetworkOption } from '../network/network-option.ts'
import type { Site } from '../network/site.ts'
import { readOption } from '../options/read-options.ts'

/** The site's locale, such as `de_DE`: its own option, even an empty one, wins over the network's (get_locale, l10n.php). */
export async function readLocale(db: Db, site: Site): Promise<string> {
  const own = await readOption(db, site, 'WPLANG')
  const locale = own ?? (await readNetworkOption(db, site.globals, site.networkId, 'WPLANG'))
  return locale || 'en_US'
}
