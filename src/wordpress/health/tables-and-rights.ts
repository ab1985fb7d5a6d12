import type { Db } from '../../db/database.ts'
import { isDenied, isMissingTable } from '../../db/database-error.ts'
import { BLOG_COLUMNS, type BlogRow, blogPrefix, type GlobalTables } from '../network/site.ts'

/** What the server says of a table. */
export type TableState = {
  readonly name: string
  /** `InnoDB`, `MyISAM`, ... */
  readonly engine: string
  /** Columns of text whose character set lacks some characters, with its name: `utf8mb3`, `latin1`. */
  readonly narrowColumns: readonly { readonly column: string; readonly charset: string }[]
}

/** Sets that hold every character, or that only ever hold what is in them. */
const WIDE = ['utf8mb4', 'utf16', 'utf16le', 'utf32', 'ascii', 'binary']

/** The states of those of these tables that are there, in two statements. */
export async function readTableStates(db: Db, tables: readonly string[]): Promise<TableState[]> {
  const here = (table: string) => db.sql(table).whereRaw('table_schema = DATABASE()')
  const rows: { name: string; engine: string | null }[] = await here('information_schema.tables')
    .whereIn('table_name', tables)
    .select({ name: 'table_name', engine: 'engine' })
  const columns: { name: string; column: string; charset: string }[] = await here(
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

/** The rows of `blogs` that are no site, because they have no options. */
export async function findSitesWithoutTables(db: Db, globals: GlobalTables): Promise<BlogRow[]> {
  const rows: BlogRow[] = await db
    .sql(globals.blogs)
    .select(...BLOG_COLUMNS)
    .orderBy('blog_id')
  const optionsOf = ({ blog_id }: BlogRow) => `${blogPrefix(globals.basePrefix, blog_id)}options`
  const there: { name: string }[] = await db
    .sql('information_schema.tables')
    .whereRaw('table_schema = DATABASE()')
    .whereIn('table_name', rows.map(optionsOf))
    .select({ name: 'table_name' })
  const found = new Set(there.map(({ name }) => name))
  return rows.filter((row) => !found.has(optionsOf(row)))
}

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
