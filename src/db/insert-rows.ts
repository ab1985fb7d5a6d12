import type { Tx } from './transaction.ts'

/** The values of a row by column. */
export type InsertedRow = Readonly<Record<string, string | number | null>>

/**
 * Adds rows in statements of at most about a megabyte each, well below the smallest `max_allowed_packet` that servers come with (4 MB):
 * their number depends on how much there is to write, and hardly on how many rows. Spelled out by the driver: the query builder would take
 * longer over tens of thousands of rows than the server.
 * @param rows all with the same columns, in the same order; taken as they are needed
 * @returns the lowest of the ids that the rows were given, where the table gives out ids
 */
export async function insertRows(
  tx: Tx,
  table: string,
  rows: Iterable<InsertedRow>,
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (const { columns, batch } of inBatches(rows)) {
    // The driver takes an array of arrays for rows; the builder's types don't know of it.
    const values = batch as object as Record<string, unknown>
    const [result] = await tx.sql.raw('INSERT INTO ?? (??) VALUES ?', [table, columns, values])
    lowest = Math.min(lowest, result.insertId)
  }
  return lowest
}

/** A quarter of a million characters are at most a megabyte of UTF-8. */
const MAX_CHARACTERS = 250_000
/** Quotes, a comma, and a number. */
const CHARACTERS_PER_VALUE = 8

type Batch = { readonly columns: string[]; readonly batch: (string | number | null)[][] }

function* inBatches(rows: Iterable<InsertedRow>): Generator<Batch> {
  let columns: string[] = []
  let batch: Batch['batch'] = []
  let size = 0
  for (const row of rows) {
    const values = Object.values(row)
    let characters = values.length * CHARACTERS_PER_VALUE
    for (const value of values) if (typeof value === 'string') characters += value.length
    if (batch.length === 0) columns = Object.keys(row)
    else if (size + characters > MAX_CHARACTERS) {
      yield { columns, batch }
      batch = []
      size = 0
    }
    batch.push(values)
    size += characters
  }
  if (batch.length > 0) yield { columns, batch }
}
