import type { Db } from '../../db/database.ts'
import { escapeLike } from '../../db/sql.ts'
import type { NamedValues } from '../../db/statement-text.ts'
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
  const statement = `SELECT :blogId AS blog_id, ${commonText('option_name')} AS name, ${commonText('option_value')} AS text
    FROM :options: WHERE ${conditions.map(({ sql }) => sql).join(' OR ')}`
  const texts = Object.assign({}, ...conditions.map(({ values }) => values))
  const rows = await selectFromSites<SiteOptionRow>(db, sites, ({ blogId, tables }) => ({
    statement,
    values: { blogId, options: tables.options, ...texts },
  }))
  return new Map(
    [...rows].map(([blogId, options]) => [
      blogId,
      new Map(options.map(({ name, text }) => [name, text])),
    ]),
  )
}

/** The column's collation treats names as equal that differ for PHP (case, accents); callers look up exact names. */
function conditionOf(
  wanted: WantedOption,
  index: number,
): { readonly sql: string; readonly values: NamedValues } {
  const name = `name${index}`
  if (typeof wanted === 'string')
    return { sql: `option_name = :${name}`, values: { [name]: wanted } }
  const patterns = wanted.containing.map((text, at): [string, string] => [
    `text${index}_${at}`,
    `%${escapeLike(text)}%`,
  ])
  const isLike = patterns.map(([pattern]) => `option_value LIKE :${pattern}`)
  return {
    sql: `(option_name = :${name} AND (${isLike.join(' OR ')}))`,
    values: { [name]: wanted.name, ...Object.fromEntries(patterns) },
  }
}
