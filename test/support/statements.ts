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
