import type { Db } from '../../db/database.ts'
import { escapeLike } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'

export type StreamedOption = { readonly name: string; readonly text: string }

/**
 * The options whose names begin so, one after the other, however much they hold together; of those whose names end with `shortened`,
 * only the first line.
 */
export async function* streamOptions(
  db: Db,
  site: Site,
  prefix: string,
  shortened: string,
): AsyncGenerator<StreamedOption> {
  const { sql } = db
  const rows: AsyncIterable<StreamedOption> = sql(site.tables.options)
    .select({
      name: 'option_name',
      text: sql.raw('IF(?? LIKE ?, SUBSTRING_INDEX(??, ?, 1), ??)', [
        'option_name',
        `%${escapeLike(shortened)}`,
        'option_value',
        '\n',
        'option_value',
      ]),
    })
    .where('option_name', 'like', `${escapeLike(prefix)}%`)
    .stream()
  // The column's collation takes names for equal that PHP does not.
  for await (const row of rows) if (row.name.startsWith(prefix)) yield row
}
