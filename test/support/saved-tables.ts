import { createConnection, type RowDataPacket } from 'mysql2/promise'
import type { TestNetwork } from './network.ts'

/** A copy of some tables, to which they can be restored many times. */
export type SavedTables = Awaited<ReturnType<typeof saveTables>>

/** Copies the tables as they are now. Restoring them takes a few milliseconds, creating content through the API takes hundreds. */
export async function saveTables({ url, db }: TestNetwork, tables: readonly string[]) {
  // The copies are temporary tables: only this connection sees them.
  const connection = await createConnection({ uri: url, multipleStatements: true })
  const run = (statements: readonly string[]) => connection.query(statements.join(';'))
  const checksums = async () => {
    const names = tables.map((table) => `\`${table}\``)
    const [rows] = await connection.query<RowDataPacket[]>(`CHECKSUM TABLE ${names.join(', ')}`)
    return rows.map(({ Checksum }) => Checksum)
  }
  const before = await checksums()
  await run([
    // Zero dates are valid in a WordPress database.
    "SET sql_mode = ''",
    ...tables.map(
      (table) => `CREATE TEMPORARY TABLE \`saved_${table}\` SELECT * FROM \`${table}\``,
    ),
  ])
  return {
    /** Restores the rows of the tables that differ from the copy; ids are not used again. `check` runs before rows are lost. */
    restore: async (check: () => Promise<void> = async () => {}) => {
      const now = await checksums()
      const changed = tables.filter((_, index) => now[index] !== before[index])
      if (changed.length === 0) return
      await check()
      await run([
        'START TRANSACTION',
        ...changed.flatMap((table) => [
          `DELETE FROM \`${table}\``,
          `INSERT INTO \`${table}\` SELECT * FROM \`saved_${table}\``,
        ]),
        'COMMIT',
      ])
      // A version number may now come again with other rows.
      db.cache.clear()
    },
    close: () => connection.end(),
  }
}
