import type { Tx } from './transaction.ts'

type Value = string | number | null

/**
 * Adds rows in statements of at most about a megabyte each, well below the smallest `max_allowed_packet` that servers come with (4 MB):
 * their number depends on how much there is to write, and hardly on how many rows. Built by the driver: the query builder would take
 * longer over tens of thousands of rows than the server.
 * @param rows each with the values of these columns, in their order
 * @returns the lowest of the ids that the rows were given, where the table gives out ids
 */
export async function insertRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (const batch of inBatches(rows)) {
    // The driver spells an array of arrays out as rows; the builder's types don't know of it.
    const values = batch as object as Record<string, unknown>
    const [result] = await tx.sql.raw('INSERT INTO ?? (??) VALUES ?', [table, [...columns], values])
    lowest = Math.min(lowest, result.insertId)
  }
  return lowest
}

/** A quarter of a million characters are at most a megabyte of UTF-8. */
const MAX_CHARACTERS = 250_000
/** Quotes, a comma, and a number. */
const CHARACTERS_PER_VALUE = 8

function* inBatches(rows: readonly (readonly Value[])[]): Generator<(readonly Value[])[]> {
  let batch: (readonly Value[])[] = []
  let size = 0
  for (const row of rows) {
    const characters = row.reduce<number>(
      (sum, value) => sum + CHARACTERS_PER_VALUE + (typeof value === 'string' ? value.length : 0),
      0,
    )
    if (batch.length > 0 && size + characters > MAX_CHARACTERS) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(row)
    size += characters
  }
  if (batch.length > 0) yield batch
}
