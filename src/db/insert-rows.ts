import { setImmediate as nextTurn } from 'node:timers/promises'
import { escape as spell } from 'mysql2'
import { inBatches } from './in-batches.ts'
import type { Tx } from './transaction.ts'

/** The values of a row by column. */
export type InsertedRow = Readonly<Record<string, string | number | null>>

/** Rows for one table, all with the same columns in the same order; taken as they are needed. */
export type TableRows = { readonly table: string; readonly rows: Iterable<InsertedRow> }

/**
 * Adds rows, table by table, in statements of at most about a megabyte each, well below the smallest `max_allowed_packet` that servers come
 * with (4 MB): their number depends on how much there is to write, and hardly on how many rows. Spelled out by the driver: the query builder would take
 * longer over tens of thousands of rows than the server. While the server works on one statement, the next is spelled.
 * @returns for each table that gives out ids and was given rows, the lowest of their ids
 */
export async function insertRows(
  tx: Tx,
  tables: readonly TableRows[],
): Promise<ReadonlyMap<string, number>> {
  const statements = buildInsertStatements(tables)
  const lowest = new Map<string, number>()
  for (let { value } = statements.next(); value; ) {
    const { table, columns, values } = value
    const [[{ insertId }], next] = await Promise.all([
      tx.sql.raw('INSERT INTO ?? (??) VALUES ?', [table, columns, values]),
      nextTurn().then(() => statements.next()),
    ])
    lowest.set(table, Math.min(lowest.get(table) ?? insertId, insertId))
    value = next.value
  }
  return lowest
}

/** A quarter of a million characters are at most a megabyte of UTF-8. */
const MAX_STATEMENT_CHARACTERS = 250_000
/** Quotes, a comma, and a number. */
const CHARACTERS_PER_VALUE = 8

function charactersOf(row: InsertedRow): number {
  let characters = 0
  for (const value of Object.values(row)) {
    characters += CHARACTERS_PER_VALUE + (typeof value === 'string' ? value.length : 0)
  }
  return characters
}

/**
 * Statements with their rows in the driver's spelling. Those stay a value: the text of a statement is told where it fails, and what it writes
 * is nobody's business.
 */
function* buildInsertStatements(tables: readonly TableRows[]) {
  for (const { table, rows } of tables) {
    for (const batch of inBatches(rows, MAX_STATEMENT_CHARACTERS, charactersOf)) {
      const text = spell(batch.map((row) => Object.values(row)))
      const columns = Object.keys(batch[0] ?? {})
      yield { table, columns, values: { toSqlString: () => text } }
    }
  }
}
