import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { ColumnState } from './read-tables.ts'

/** Values of each column that are looked at. */
const VALUES = 20

/**
 * The columns that contain UTF-8 in another character set. A WordPress with `DB_CHARSET` latin1 stores it so, and reads it back; every other
 * program reads `Ã¼` in place of `ü`. Text in the character set of its column hardly ever is valid UTF-8.
 */
export async function findMisread(
  db: Db,
  table: string,
  columns: readonly ColumnState[],
): Promise<ColumnState[]> {
  const found: ColumnState[] = []
  for (const column of columns) {
    // What a server makes of bytes that are no UTF-8 is no shorter than the bytes.
    const rows = await readRows<{ bytes: Buffer }>(
      db,
      `SELECT CAST(:column: AS BINARY) AS bytes FROM :table:
        WHERE CHAR_LENGTH(CONVERT(CAST(:column: AS BINARY) USING utf8mb4)) < LENGTH(:column:) LIMIT ${VALUES}`,
      { table, column: column.name },
    )
    if (rows.some(({ bytes }) => isUtf8(bytes))) found.push(column)
  }
  return found
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
