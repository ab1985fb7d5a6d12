import type { Db } from '../../db/database.ts'
import { escapeLike } from '../../db/sql.ts'
import { commonText, selectFromSites } from '../network/select-from-sites.ts'
import type { Site } from '../network/site.ts'

/** An option to read: its name, or a name and texts of which the option must contain one. */
export type WantedOption =
  | string
  | { readonly name: string; readonly containing: readonly string[] }

/** The stored texts of a site's options, by name. Missing options are not in the map. */
export type StoredOptions = ReadonlyMap<string, string>

type SiteOptionRow = { readonly blog_id: number; readonly name: string; readonly text: string }

/**
 * The stored texts of several options of many sites, by blog id, with one statement for 200 sites. Sites whose options cannot be read are left
 * out, see `selectFromSites`.
 */
export async function readOptionsOfSites(
  db: Db,
  sites: readonly Site[],
  wanted: readonly WantedOption[],
): Promise<Map<number, StoredOptions>> {
  const conditions = wanted.map(conditionOf)
  const statement = `SELECT ? AS blog_id, ${commonText('option_name')} AS name, ${commonText('option_value')} AS text
    FROM ?? WHERE ${conditions.map(({ sql }) => sql).join(' OR ')}`
  const values = conditions.flatMap((condition) => condition.values)
  const rows = await selectFromSites<SiteOptionRow>(db, sites, ({ blogId, tables }) => ({
    statement,
    values: [blogId, tables.options, ...values],
  }))
  return new Map(
    [...rows].map(([blogId, options]) => [
      blogId,
      new Map(options.map(({ name, text }) => [name, text])),
    ]),
  )
}

/** The column's collation treats names as equal that differ for PHP (case, accents); callers look up exact names. */
function conditionOf(wanted: WantedOption): { readonly sql: string; readonly values: string[] } {
  if (typeof wanted === 'string') return { sql: 'option_name = ?', values: [wanted] }
  const { name, containing } = wanted
  return {
    sql: `(option_name = ? AND (${containing.map(() => 'option_value LIKE ?').join(' OR ')}))`,
    values: [name, ...containing.map((text) => `%${escapeLike(text)}%`)],
  }
}
