import type { Db } from '../../db/database.ts'
import { isDenied, isMissingTable } from '../../db/database-error.ts'
import { listBlogs } from '../network/find-sites.ts'
import type { BlogRow, GlobalTables } from '../network/site.ts'

/** Properties of a table as reported by the server. */
export type TableState = {
  readonly name: string
  /** `InnoDB`, `MyISAM`, ... */
  readonly engine: string
  /** Text columns whose character set lacks some characters, with its name: `utf8mb3`, `latin1`. */
  readonly narrowColumns: readonly { readonly column: string; readonly charset: string }[]
}

/** Character sets with every character, and those of columns that contain ASCII or bytes only. */
const WIDE = ['utf8mb4', 'utf16', 'utf16le', 'utf32', 'ascii', 'binary']

/** The states of these tables, without missing ones, in two statements. */
export async function readTableStates(db: Db, tables: readonly string[]): Promise<TableState[]> {
  const inDatabase = (table: string) => db.sql(table).whereRaw('table_schema = DATABASE()')
  const rows: { name: string; engine: string | null }[] = await inDatabase(
    'information_schema.tables',
  )
    .whereIn('table_name', tables)
    .select({ name: 'table_name', engine: 'engine' })
  const columns: { name: string; column: string; charset: string }[] = await inDatabase(
    'information_schema.columns',
  )
    .whereIn('table_name', tables)
    .whereNotNull('character_set_name')
    .whereNotIn('character_set_name', WIDE)
    .orderBy('ordinal_position')
    .select({ name: 'table_name', column: 'column_name', charset: 'character_set_name' })
  return rows.map(({ name, engine }) => ({
    name,
    engine: engine ?? 'view',
    narrowColumns: columns.filter((column) => column.name === name),
  }))
}

/** The rows of `blogs` without an options table. */
export async function findSitesWithoutTables(db: Db, globals: GlobalTables): Promise<BlogRow[]> {
  const blogs = await listBlogs(db, globals)
  return blogs.filter(({ isInstalled }) => !isInstalled).map(({ row }) => row)
}

export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

/** A table, one of its columns, and the rights that the service needs on it. */
export type TableUse = {
  readonly table: string
  readonly column: string
  readonly rights: readonly Right[]
}

/**
 * Finds missing rights of the database user by running each kind of statement on no row. A user's grants come from roles, patterns and
 * several levels, which only the server itself can combine. Nothing is written, and no row is locked.
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

/** `IGNORE`, because strict sessions reject an INSERT without values for some columns before they find that there is no row. */
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
    // A missing table has no missing rights.
    if (isMissingTable(error)) return true
    throw error
  }
}
