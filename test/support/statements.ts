import type { Knex } from 'knex'
import type { Db } from '../../src/db/database.ts'

/** Records the statements, without their values, that `work` sends to the database. `work` receives the growing list. */
export async function statementsOf(
  db: Db,
  work: (statements: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const statements: string[] = []
  const note = ({ sql }: { sql: string }): void => void statements.push(sql)
  db.sql.on('query', note)
  try {
    await work(statements)
  } finally {
    db.sql.removeListener('query', note)
  }
  return statements
}

type SentStatement = { readonly sql: string; readonly text?: string }

/** The same connections, with something that happens before each statement. `text` contains the values of statements that have no bindings. */
export function beforeStatements(
  sql: Knex,
  happen: (statement: SentStatement) => Promise<unknown>,
): Knex {
  const own = sql.withUserParams({})
  const query = own.client.query.bind(own.client)
  own.client.query = async (connection: object, statement: SentStatement) => {
    await happen(statement)
    return query(connection, statement)
  }
  return own
}
