import type { Db } from '../../src/db/database.ts'

/** The statements, without their values, that `work` sends to the database; it is given the list as it grows. */
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
