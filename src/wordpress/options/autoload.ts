import type { Db } from '../../db/database.ts'
import type { Site } from '../network/site.ts'

/** What the column `autoload` may hold: `yes` and `no` up to WordPress 6.5, the others since. */
export type Autoload = 'yes' | 'no' | 'on' | 'off' | 'auto' | 'auto-on' | 'auto-off'

/** Above this many bytes WordPress doesn't autoload by itself (wp_determine_option_autoload_value). */
const MAX_AUTOLOADED_BYTES = 150_000

/**
 * The `autoload` that this site's WordPress would give a new option for which no caller has a wish
 * (wp_determine_option_autoload_value). `db_version` doesn't tell 6.5 from 6.6, so the words already in the table do.
 */
export async function autoloadOfNewOption(db: Db, site: Site, value: string): Promise<Autoload> {
  const modern: unknown = await db
    .sql(site.tables.options)
    .select('option_id')
    .whereIn('autoload', ['on', 'off', 'auto', 'auto-on', 'auto-off'])
    // Our own rows say `off` on every version and prove nothing.
    .whereNot('option_name', 'like', 'svc\\_%')
    .first()
  if (modern === undefined) return 'yes'
  return Buffer.byteLength(value) > MAX_AUTOLOADED_BYTES ? 'auto-off' : 'auto'
}
