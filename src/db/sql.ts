import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { escapeId, escape as escapeValues } from 'mysql2'
import type { Db } from './database.ts'
import { readRow, type WriteResult } from './read-rows.ts'
import { type NamedValues, statementOf } from './statement-text.ts'
import type { Tx } from './transaction.ts'
import { completeRow, type ImplicitValues, type InsertedRow } from './written-tables.ts'

export {
  defineTables,
  readRow,
  readRows,
  type Select,
  streamRows,
  unionOf,
  type WriteResult,
} from './read-rows.ts'

/** Runs an SQL text with named values that writes; see `readRows`. */
export async function runStatement(
  tx: Tx,
  statement: string,
  values: NamedValues,
): Promise<WriteResult> {
  return (await tx.sender.send(statementOf(statement, values))).rows as WriteResult
}

/** Inserts a row. @returns the id that the server has assigned to it; 0 without an AUTO_INCREMENT column */
export async function insertRow(tx: Tx, table: string, row: InsertedRow): Promise<number> {
  const { insertId } = await runStatement(tx, 'INSERT INTO :table: (:columns:) VALUES (:values)', {
    table,
    columns: Object.keys(row),
    values: Object.values(row),
  })
  return insertId
}

/** Assignments of columns, as a value of an SQL text: `SET :changed`. */
export const assignmentsOf = (columns: InsertedRow) => ({
  toSqlString: () =>
    Object.entries(columns)
      .map(([column, value]) => `${escapeId(column)} = ${escapeValues(value)}`)
      .join(', '),
})

/** Rows for one table, all with the same columns in the same order; iterated lazily. */
export type TableRows = {
  readonly table: string
  readonly rows: Iterable<InsertedRow>
  /** The assignments to a row that exists already (`ON DUPLICATE KEY UPDATE`) [such a row is an error]. */
  readonly onDuplicate?: string
}

/**
 * Inserts rows, table by table, in statements of at most about a megabyte each, well below the smallest default `max_allowed_packet` (4
 * MB), so that the number of statements depends on the data's size and hardly on the number of rows. While the server runs one statement, the next one is
 * built. The last statement of each table waits (`Tx.later`). The others do not, so that little is kept in memory.
 * @returns for each table with an AUTO_INCREMENT column and at least one row, the lowest new id: a number, or an expression for the
 * statement that follows an insert into one table
 */
export async function storeRows(
  tx: Tx,
  tables: readonly TableRows[],
): Promise<ReadonlyMap<string, number | typeof LAST_INSERT_ID>> {
  const statements = buildInsertStatements(tx.implicit, tables)
  const lowest = new Map<string, number | typeof LAST_INSERT_ID>()
  let value = statements.next().value
  let following = value && statements.next().value
  while (value) {
    const { table, statement, values } = value
    value = following
    if (following?.table === table) {
      const [{ insertId }, next] = await Promise.all([
        runStatement(tx, statement, values),
        nextMacrotask().then(() => statements.next()),
      ])
      following = next.value
      if (!lowest.has(table)) lowest.set(table, insertId)
    } else {
      tx.later(statement, values)
      following = value && statements.next().value
      if (!lowest.has(table)) lowest.set(table, LAST_INSERT_ID)
    }
  }
  return lowest
}

/** The first id that the last insert has assigned. */
const LAST_INSERT_ID = { toSqlString: () => 'LAST_INSERT_ID()' }

/** At most a megabyte of UTF-8. */
const MAX_STATEMENT_CHARACTERS = 250_000
/** Quotes, a comma, and the digits of a number. */
const CHARACTERS_PER_VALUE = 8

/** Bytes are written in hexadecimal. */
function lengthOf(value: InsertedRow[string]): number {
  if (typeof value === 'string') return value.length
  return Buffer.isBuffer(value) ? 2 * value.length : 0
}

function charactersOf(row: InsertedRow): number {
  let characters = 0
  for (const value of Object.values(row)) {
    characters += CHARACTERS_PER_VALUE + lengthOf(value)
  }
  return characters
}

/**
 * The statements, with their rows escaped by the driver. The rows are bound as one value, so that error messages and logs, which contain
 * the statement's text, never contain row data.
 */
function* buildInsertStatements(implicit: ImplicitValues, tables: readonly TableRows[]) {
  for (const { table, rows, onDuplicate } of tables) {
    for (const batch of inBatches(rows, MAX_STATEMENT_CHARACTERS, charactersOf)) {
      const complete = batch.map((row) => completeRow(implicit, table, row))
      const text = escapeValues(complete.map((row) => Object.values(row)))
      const columns = Object.keys(complete[0] ?? {})
      const update = onDuplicate === undefined ? '' : ` ON DUPLICATE KEY UPDATE ${onDuplicate}`
      const values = { table, columns, rows: { toSqlString: () => text } }
      yield { table, statement: `INSERT INTO :table: (:columns:) VALUES :rows${update}`, values }
    }
  }
}

/** Groups items in order, so that the sizes of a group add up to at most `limit`; a larger item forms its own group. Lazy. */
export function* inBatches<T>(
  items: Iterable<T>,
  limit: number,
  sizeOf: (item: T) => number = () => 1,
): Generator<T[]> {
  let batch: T[] = []
  let total = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (batch.length > 0 && total + size > limit) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(item)
    total += size
  }
  if (batch.length > 0) yield batch
}

/** `FIELD` searches its list from the start, so the work of a statement grows with the square of this number. */
const ROWS_OF_UPDATE = 200

/**
 * Groups rows for statements that give each of them a value of its own: `SET a = ELT(FIELD(id, :ids), :values)`. A statement for each row takes longer,
 * for the server and for the driver.
 * @param lengthOf the texts of a row, in characters
 */
export const inUpdates = <T>(rows: Iterable<T>, lengthOf: (row: T) => number): Iterable<T[]> =>
  inBatches(rows, MAX_STATEMENT_CHARACTERS, (row) =>
    Math.max(MAX_STATEMENT_CHARACTERS / ROWS_OF_UPDATE, lengthOf(row)),
  )

/**
 * A column for a comparison with a text of a caller. A column with a smaller character set cannot be compared with characters that it does not have: the
 * server refuses the statement (1267). The collation is that of WordPress's tables.
 */
export const searchable = (column: string): string =>
  `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_unicode_520_ci`

/** Escapes a text for use in a `LIKE` pattern: table prefixes and option names contain `_`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

const BEYOND_THREE_BYTES = /[\u{10000}-\u{10ffff}]/gu

/**
 * Encodes the texts for a column. If its character set has no 4-byte characters (utf8mb3), each such character is replaced with `encode`'s
 * result. Texts without such characters cause no query.
 */
export async function storableTexts(
  db: Db,
  { table, column }: { readonly table: string; readonly column: string },
  texts: readonly string[],
  encode: (character: string) => string,
): Promise<readonly string[]> {
  if (!texts.some((text) => text.search(BEYOND_THREE_BYTES) >= 0)) return texts
  const row = await readRow<{ charset: string }>(
    db,
    `SELECT character_set_name AS charset FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = :table AND column_name = :column`,
    { table, column },
  )
  if (row?.charset !== 'utf8' && row?.charset !== 'utf8mb3') return texts
  return texts.map((text) => text.replace(BEYOND_THREE_BYTES, encode))
}

/** A numeric character reference in WordPress's form (wp_encode_emoji, formatting.php). */
export function characterReference(character: string): string {
  return `&#x${character.codePointAt(0)?.toString(16)};`
}
