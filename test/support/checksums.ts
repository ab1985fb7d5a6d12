import type { TestNetwork } from './network.ts'

/** The names of all tables of the database. */
export const tablesOf = ({ db }: Pick<TestNetwork, 'db'>): Promise<string[]> =>
  db
    .sql('information_schema.TABLES')
    .whereRaw('TABLE_SCHEMA = DATABASE()')
    .orderBy('TABLE_NAME')
    .pluck('TABLE_NAME')

/** The checksum of each of these tables: what they contain. */
export async function checksumsOf(
  { db }: Pick<TestNetwork, 'db'>,
  tables: readonly string[],
): Promise<unknown> {
  const names = tables.map(() => '??').join(', ')
  return (await db.sql.raw(`CHECKSUM TABLE ${names}`, [...tables]))[0]
}
