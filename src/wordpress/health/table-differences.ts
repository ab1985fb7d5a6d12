import type { InsertedRow } from '../../db/written-tables.ts'
import type { ColumnState, TableState } from './read-tables.ts'
import { lengthOf, type TableDescription } from './wordpress-tables.ts'

/** How a table differs from the one that WordPress makes. */
export type TableDifference = {
  readonly table: string
  readonly description: TableDescription
  /** Writes of the site are refused: what is stored, or read, would be a guess. */
  readonly refusesWrites: boolean
} & (
  | { readonly kind: 'engine_not_transactional'; readonly engine: string }
  | { readonly kind: 'column_missing'; readonly column: string }
  | { readonly kind: 'auto_increment_missing'; readonly column: string }
  /** A primary or unique key. */
  | {
      readonly kind: 'unique_key_missing'
      readonly columns: readonly string[]
      readonly key: string
    }
  | { readonly kind: 'key_missing'; readonly columns: readonly string[]; readonly key: string }
  /** A plugin's column that every new row needs a value for. */
  | { readonly kind: 'column_required'; readonly column: string; readonly isFilled: boolean }
  /** Lengths are in characters; of types of `text`, in bytes. */
  | {
      readonly kind: 'column_short'
      readonly column: string
      readonly length: number
      readonly usual: number
    }
  /** Columns whose character set lacks some characters. */
  | { readonly kind: 'charset_narrow'; readonly columns: readonly ColumnState[] }
  /** UTF-8 in columns of another character set. */
  | { readonly kind: 'charset_misread'; readonly columns: readonly ColumnState[] }
)

/** Which rows the service adds to a table, and whether it reads their ids. */
export type TableUses = { readonly isInserted: boolean; readonly isIdNeeded: boolean }

/** Character sets with every character, and those of columns that contain ASCII or bytes only. */
const WIDE = ['utf8mb4', 'utf16', 'utf16le', 'utf32', 'ascii', 'binary']
const UTF8 = ['utf8', 'utf8mb3']

/** The columns in which bytes of UTF-8 may stand for other characters, if a program wrote them over a connection of the same character set. */
export const suspectColumns = ({ columns }: TableState): ColumnState[] =>
  columns.filter(({ charset }) => charset !== null && ![...WIDE, ...UTF8].includes(charset))

/**
 * Compares a table with its description.
 * @param misread the columns that contain UTF-8 in another character set
 */
export function* compareTable(
  state: TableState,
  description: TableDescription,
  { isInserted, isIdNeeded }: TableUses,
  misread: readonly ColumnState[],
): Generator<TableDifference> {
  const { name: table, engine } = state
  const found = { table, description, refusesWrites: false }
  const columns = new Map(state.columns.map((column) => [column.name.toLowerCase(), column]))
  if (engine !== 'InnoDB') yield { ...found, kind: 'engine_not_transactional', engine }
  if (engine === 'view') return
  for (const [column, definition] of Object.entries(description.columns)) {
    const actual = columns.get(column.toLowerCase())
    if (!actual) {
      yield { ...found, kind: 'column_missing', column, refusesWrites: isInserted }
      continue
    }
    const [usual, length] = [lengthOf(definition), lengthOf(actual.definition)]
    if (usual !== undefined && length !== undefined && length < usual)
      yield { ...found, kind: 'column_short', column, length, usual }
  }
  const [id = '', ...others] = description.primary
  const idColumn = others.length === 0 ? columns.get(id.toLowerCase()) : undefined
  if (idColumn && !idColumn.isAutoIncrement) {
    // Without a key, all rows may have the id 0, and those that are found by another column do no harm.
    const isKey = state.keys.some(({ isUnique, columns: [first] }) => isUnique && isSame(first, id))
    const refusesWrites = isIdNeeded || (isInserted && isKey)
    yield { ...found, kind: 'auto_increment_missing', column: id, refusesWrites }
  }
  for (const [key, wanted] of Object.entries({
    PRIMARY: description.primary,
    ...description.unique,
  })) {
    const isThere = state.keys.some(
      ({ isUnique, columns: has }) =>
        isUnique && has.every((one) => wanted.some((other) => isSame(one, other))),
    )
    const refusesWrites = key === 'option_name'
    if (!isThere)
      yield { ...found, kind: 'unique_key_missing', columns: wanted, key, refusesWrites }
  }
  for (const [key, wanted] of Object.entries(description.keys)) {
    const isThere = state.keys.some(({ columns: has }) =>
      wanted.every((one, at) => isSame(has[at], one)),
    )
    if (!isThere) yield { ...found, kind: 'key_missing', columns: wanted, key }
  }
  const isDescribed = describedIn(description.columns)
  for (const { name: column, type } of isInserted ? requiredColumns(state, description) : []) {
    if (isDescribed(column)) continue
    const isFilled = implicitValue(type) !== undefined
    yield { ...found, kind: 'column_required', column, isFilled, refusesWrites: !isFilled }
  }
  if (misread.length > 0) {
    // The advice for columns that only lack characters would damage these.
    const refusesWrites = misread.some(({ name }) => isDescribed(name))
    yield { ...found, kind: 'charset_misread', columns: misread, refusesWrites }
    return
  }
  const narrow = state.columns.filter(({ charset }) => charset !== null && !WIDE.includes(charset))
  if (narrow.length > 0) yield { ...found, kind: 'charset_narrow', columns: narrow }
}

/**
 * The values that a session without strict mode gives to columns without a default, by column: WordPress leaves that mode
 * (wpdb::set_sql_mode), so that it stores them for the columns that plugins add.
 */
export function implicitValues(state: TableState, description: TableDescription): InsertedRow {
  return Object.fromEntries(
    requiredColumns(state, description).flatMap(({ name, type }) => {
      const value = implicitValue(type)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** An id that the server does not assign is none of them, unless no key keeps several rows from having the same. */
function requiredColumns(state: TableState, { columns }: TableDescription): ColumnState[] {
  const isDescribed = describedIn(columns)
  const isKey = ({ name }: ColumnState) =>
    state.keys.some(
      ({ isUnique, columns: has }) => isUnique && has.some((one) => isSame(one, name)),
    )
  return state.columns.filter(
    (column) =>
      !column.isFilled && (!isDescribed(column.name) || (isId(column, columns) && !isKey(column))),
  )
}

const isId = ({ name }: ColumnState, columns: TableDescription['columns']): boolean =>
  Object.entries(columns).some(
    ([one, definition]) => isSame(one, name) && definition.endsWith('AUTO_INCREMENT'),
  )

const isSame = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

function describedIn(columns: TableDescription['columns']): (name: string) => boolean {
  const names = new Set(Object.keys(columns).map((name) => name.toLowerCase()))
  return (name) => names.has(name.toLowerCase())
}

const NUMBERS = [
  'tinyint',
  'smallint',
  'mediumint',
  'int',
  'bigint',
  'decimal',
  'float',
  'double',
  'bit',
  'year',
]
const TEXTS = /^(?:(?:var)?char|(?:var)?binary|(?:tiny|medium|long)?(?:text|blob)|set)$/

/** The implicit default of a type ("Data Type Default Values" of the manual); undefined for a type without one. */
function implicitValue(type: string): string | number | undefined {
  if (NUMBERS.includes(type)) return 0
  if (TEXTS.test(type)) return ''
  if (type === 'date') return '0000-00-00'
  if (type === 'datetime' || type === 'timestamp') return '0000-00-00 00:00:00'
  if (type === 'time') return '00:00:00'
  // The first value.
  return type === 'enum' ? 1 : undefined
}
