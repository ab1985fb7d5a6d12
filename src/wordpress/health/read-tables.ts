import type { Db } from '../../db/database.ts'
import { readEngines, readTablesSchema } from '../../db/table-engines.ts'
import { groupBy } from '../../host/group-by.ts'

/** A table as it is. */
export type TableState = {
  readonly name: string
  /** `InnoDB`, `MyISAM`, ...; `view` for a view. */
  readonly engine: string
  readonly columns: readonly ColumnState[]
  readonly keys: readonly KeyState[]
}

export type ColumnState = {
  readonly name: string
  /** With its length: `varchar(191)`. */
  readonly definition: string
  /** `varchar` */
  readonly type: string
  /** Null for columns without text. */
  readonly charset: string | null
  readonly isNullable: boolean
  /** A row needs no value for it: it has a default, or the server computes or assigns it. */
  readonly isFilled: boolean
  readonly isAutoIncrement: boolean
}

type KeyState = {
  readonly isUnique: boolean
  /** In the order of the key. */
  readonly columns: readonly string[]
}

/** The states of these tables by name, without missing ones, in three statements for any number of tables. */
export async function readTables(
  db: Db,
  tables: readonly string[],
): Promise<Map<string, TableState>> {
  if (tables.length === 0) return new Map()
  const [engines, columns, parts] = await Promise.all([
    readEngines(db, tables),
    readTablesSchema<ColumnRow>(db, tables, SELECT_COLUMNS),
    readTablesSchema<KeyPart>(db, tables, SELECT_KEYS),
  ])
  const columnsOf = groupBy(columns, ({ name }) => name)
  const partsOf = groupBy(parts, ({ name }) => name)
  return new Map(
    engines.map(({ name, engine }) => {
      const ordered = (columnsOf.get(name) ?? []).sort((a, b) => a.position - b.position)
      const keys = [...groupBy(partsOf.get(name) ?? [], ({ keyName }) => keyName).values()]
      return [name, { name, engine, columns: ordered.map(columnOf), keys: keys.map(keyOf) }]
    }),
  )
}

type ColumnRow = {
  readonly name: string
  readonly columnName: string
  readonly position: number
  readonly definition: string
  readonly type: string
  readonly charset: string | null
  readonly nullable: 'YES' | 'NO'
  readonly hasDefault: number
  readonly extra: string
}

const SELECT_COLUMNS = `SELECT table_name AS name, column_name AS columnName, ordinal_position AS position,
  column_type AS definition, data_type AS type, character_set_name AS charset, is_nullable AS nullable,
  column_default IS NOT NULL AS hasDefault, extra AS extra FROM information_schema.columns`

/** `extra` contains `auto_increment`, `VIRTUAL GENERATED`, or on MySQL `DEFAULT_GENERATED`. */
function columnOf(row: ColumnRow): ColumnState {
  const isAutoIncrement = row.extra.includes('auto_increment')
  const isNullable = row.nullable === 'YES'
  return {
    name: row.columnName,
    definition: String(row.definition),
    type: row.type,
    charset: row.charset,
    isNullable,
    isFilled:
      isNullable || row.hasDefault === 1 || row.extra.includes('GENERATED') || isAutoIncrement,
    isAutoIncrement,
  }
}

type KeyPart = {
  readonly name: string
  readonly keyName: string
  readonly columnName: string | null
  readonly position: number
  readonly isUnique: number
}

const SELECT_KEYS = `SELECT table_name AS name, index_name AS keyName, column_name AS columnName,
  seq_in_index AS position, non_unique = 0 AS isUnique FROM information_schema.statistics`

/** MySQL has keys of expressions, which have no column. */
const keyOf = (parts: readonly KeyPart[]): KeyState => ({
  isUnique: parts.every(({ isUnique }) => isUnique === 1),
  columns: [...parts]
    .sort((a, b) => a.position - b.position)
    .map(({ columnName }) => columnName ?? ''),
})
