import type { Db } from '../../db/database.ts'
import { trimEnd } from '../formatting/plain-text.ts'
import { readOptions } from '../options/read-options.ts'
import type { Site } from './site.ts'

/**
 * A site's home, without a slash at the end: its option `home`, or `siteurl` where that is empty (get_option, option.php). Links are made of
 * it, never of domain and path.
 */
export async function readHome(db: Db, site: Site): Promise<string> {
  const options = await readOptions(db, site, ['home', 'siteurl'])
  return trimEnd(options.get('home') || options.get('siteurl') || '', '/')
}
