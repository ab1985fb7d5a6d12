import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Knex } from 'knex'
import { escape as spell } from 'mysql2'
import type { Db } from './database.ts'
import type { Tx } from './transaction.ts'

/**
 * The rows of a statement that is spelled out, with its values by name: `:id` a value, or a list of them, `:posts:` an identifier. For the
 * few that nearly every request sends: the query builder takes longer to spell one than the driver to send it and read the answer.
 */
export async function readRows<Row>(
  { sql }: Db,
  statement: string,
  values: Readonly<Record<string, Knex.RawBinding>>,
): Promise<Row[]> {
  const [rows] = await sql.raw(statement, values)
  return rows
}

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

/** Things in their order, so many together that their sizes come to no more than `limit`; a larger one is alone. Taken as they are needed. */
export function* inBatches<T>(
  things: Iterable<T>,
  limit: number,
  sizeOf: (thing: T) => number = () => 1,
): Generator<T[]> {
  let batch: T[] = []
  let total = 0
  for (const thing of things) {
    const size = sizeOf(thing)
    if (batch.length > 0 && total + size > limit) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(thing)
    total += size
  }
  if (batch.length > 0) yield batch
}

/** A text that `LIKE` takes for itself: prefixes and names hold `_`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

const BEYOND_THREE_BYTES = /[\u{10000}-\u{10ffff}]/gu

/**
 * The texts as a column can hold them: where its character set has no characters of four bytes (utf8mb3), each of these is given to
 * `encode`. Without such a character nothing is asked of the database.
 */
export async function storableTexts(
  db: Db,
  { table, column }: { readonly table: string; readonly column: string },
  texts: readonly string[],
  encode: (character: string) => string,
): Promise<readonly string[]> {
  if (!texts.some((text) => text.search(BEYOND_THREE_BYTES) >= 0)) return texts
  const row: { charset: string } | undefined = await db
    .sql('information_schema.columns')
    .select({ charset: 'character_set_name' })
    .whereRaw('table_schema = DATABASE()')
    .where({ table_name: table, column_name: column })
    .first()
  if (row?.charset !== 'utf8' && row?.charset !== 'utf8mb3') return texts
  return texts.map((text) => text.replace(BEYOND_THREE_BYTES, encode))
}

/** A character as a reference to it, in WordPress's spelling (wp_encode_emoji, formatting.php). */
export function characterReference(character: string): string {
  return `&#x${character.codePointAt(0)?.toString(16)};`
}
