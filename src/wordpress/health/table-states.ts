import type { Db } from '../../db/database.ts'

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
