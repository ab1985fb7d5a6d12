import type { Db } from '../../db/database.ts'
import { escapeLike } from '../../db/escape-like.ts'
import { readRows } from '../../db/read-rows.ts'
import type { Site } from '../network/site.ts'

type OptionRow = { option_name: string; option_value: string }

/** The stored text of an option, as `get_option` finds it before unserializing. */
export async function readOption(db: Db, site: Site, name: string): Promise<string | undefined> {
  return (await readOptions(db, site, [name])).get(name)
}

/**
 * The stored texts of several options in one statement; those that are missing are not in the map. The column's
 * collation takes names for equal that PHP does not (case, accents), so they are compared again here.
 */
export async function readOptions(
  db: Db,
  site: Site,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const wanted = new Set(names)
  const rows = await readRows<OptionRow>(
    db,
    'SELECT option_name, option_value FROM :options: WHERE option_name IN (:names)',
    { options: site.tables.options, names: [...wanted] },
  )
  return new Map(
    rows
      .filter((row) => wanted.has(row.option_name))
      .map((row) => [row.option_name, row.option_value]),
  )
}

/** The first line of an option's stored text, without the rest being sent: a text may have megabytes. */
export async function readOptionLine(
  db: Db,
  site: Site,
  name: string,
): Promise<string | undefined> {
  const row: { option_name: string; line: string } | undefined = await db
    .sql(site.tables.options)
    .select('option_name', {
      line: db.sql.raw('SUBSTRING_INDEX(??, ?, 1)', ['option_value', '\n']),
    })
    .where({ option_name: name })
    .first()
  return row?.option_name === name ? row.line : undefined
}

/** The stored texts of all options whose names begin and end so, in one statement. */
export async function readOptionsBetween(
  db: Db,
  site: Site,
  prefix: string,
  suffix: string,
): Promise<Map<string, string>> {
  const rows = await db
    .sql<OptionRow>(site.tables.options)
    .select('option_name', 'option_value')
    .where('option_name', 'like', `${escapeLike(prefix)}%${escapeLike(suffix)}`)
  return new Map(rows.map((row) => [row.option_name, row.option_value]))
}
