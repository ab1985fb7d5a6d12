import type { Knex } from 'knex'
import type { Db } from './database.ts'

/**
 * The rows of a statement that is spelled out, with its values by name: `:id` a value, or a list of them, `:posts:` an identifier. For the
 * few that nearly every request sends: the query builder takes longer to spell one than the driver to send it and read the answer.
 */
export async function readRows<Row>(
  { sql }: Db,
  statement: string,
  values: Readonly<Record<string, Knex.RawBinding>>,
): Promise<Row[]> {
  const [rows] = await sql.raw(statement, values)
  return rows
}
