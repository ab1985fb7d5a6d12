import type { Db } from '../../db/database.ts'
import type { Site } from '../network/site.ts'
import { readOptions } from '../options/read-options.ts'
import type { TimeSettings } from './now-for.ts'

/** The options that set a site's time. */
export async function readTimeSettings(db: Db, site: Site): Promise<TimeSettings> {
  const options = await readOptions(db, site, ['timezone_string', 'gmt_offset'])
  return {
    timezone: options.get('timezone_string') ?? '',
    gmtOffset: Number(options.get('gmt_offset')) || 0,
  }
}
