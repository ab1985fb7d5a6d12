import { setImmediate as nextTurn } from 'node:timers/promises'
import { escape as spell } from 'mysql2'
import { inBatches } from './in-batches.ts'
import type { Tx } from './transaction.ts'

/** The values of a row by column. */
export type InsertedRow = Readonly<Record<string, string | number | null>>

/**
 * Adds rows in statements of at most about a megabyte each, well below the smallest `max_allowed_packet` that servers come with (4 MB):
 * their number depends on how much there is to write, and hardly on how many rows. Spelled out by the driver: the query builder would take
 * longer over tens of thousands of rows than the server. While the server works on one statement, the next is spelled.
 * @param rows all with the same columns, in the same order; taken as they are needed
 * @returns the lowest of the ids that the rows were given, where the table gives out ids
 */
export async function insertRows(
  tx: Tx,
  table: string,
  rows: Iterable<InsertedRow>,
): Promise<number> {
  const batches = inBatches(rows, MAX_CHARACTERS, charactersOf)
  const spellNext = () => {
    const { value } = batches.next()
    return value && spelled(value)
  }
  let lowest = Number.POSITIVE_INFINITY
  for (let batch = spellNext(); batch; ) {
    const { columns, values } = batch
    const [[result], next] = await Promise.all([
      tx.sql.raw('INSERT INTO ?? (??) VALUES ?', [table, columns, values]),
      nextTurn().then(spellNext),
    ])
    lowest = Math.min(lowest, result.insertId)
    batch = next
  }
  return lowest
}

/** A quarter of a million characters are at most a megabyte of UTF-8. */
const MAX_CHARACTERS = 250_000
/** Quotes, a comma, and a number. */
const CHARACTERS_PER_VALUE = 8

function charactersOf(row: InsertedRow): number {
  let characters = 0
  for (const value of Object.values(row)) {
    characters += CHARACTERS_PER_VALUE + (typeof value === 'string' ? value.length : 0)
  }
  return characters
}

/** Rows in the driver's spelling. They stay a value: the text of a statement is told where it fails, and what it writes is nobody's business. */
function spelled(rows: readonly InsertedRow[]) {
  const text = spell(rows.map((row) => Object.values(row)))
  return { columns: Object.keys(rows[0] ?? {}), values: { toSqlString: () => text } }
}
