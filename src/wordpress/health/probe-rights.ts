import type { Db } from '../../db/database.ts'
import { isDenied, isMissingTable } from '../../db/database-error.ts'

export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

/** A table, one of its columns, and what the service does there. */
export type TableUse = {
  readonly table: string
  readonly column: string
  readonly rights: readonly Right[]
}

/**
 * What of this the database user may not do, by trying it on no row: the grants of a user come from roles, patterns and several levels, and
 * only the server itself adds them up. Nothing is written, and no row is locked.
 */
export async function probeRights(
  db: Db,
  uses: readonly TableUse[],
): Promise<{ readonly table: string; readonly right: Right }[]> {
  const missing: { table: string; right: Right }[] = []
  for (const { table, column, rights } of uses) {
    for (const right of rights) {
      if (!(await isAllowed(db, right, table, column))) missing.push({ table, right })
    }
  }
  return missing
}

/** `IGNORE`, because strict sessions refuse a row without values for some columns before they see that there is none. */
const STATEMENTS: Readonly<Record<Right, string>> = {
  SELECT: 'SELECT :column: FROM :table: WHERE FALSE',
  INSERT: 'INSERT IGNORE INTO :table: (:column:) SELECT 1 FROM DUAL WHERE FALSE',
  UPDATE: 'UPDATE :table: SET :column: = 1 WHERE FALSE',
  DELETE: 'DELETE FROM :table: WHERE FALSE',
}

async function isAllowed(db: Db, right: Right, table: string, column: string): Promise<boolean> {
  try {
    await db.sql.raw(STATEMENTS[right], { table, column })
    return true
  } catch (error) {
    if (isDenied(error)) return false
    // Nothing is forbidden of what is not there.
    if (isMissingTable(error)) return true
    throw error
  }
}
