import type { Knex } from 'knex'
import type { Db } from '../../src/db/database.ts'

/**
 * Records the statements that `work` sends to the database. `work` receives the growing list.
 * @param textOf what is recorded of a statement [without its values; a table may be one]
 */
export async function statementsOf(
  db: Db,
  work: (statements: readonly string[]) => Promise<unknown>,
  textOf: (statement: SentStatement) => string = ({ sql }) => sql,
): Promise<string[]> {
  const statements: string[] = []
  const note = (statement: SentStatement): void => void statements.push(textOf(statement))
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
