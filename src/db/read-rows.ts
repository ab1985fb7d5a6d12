import type { Sender } from './sender.ts'
import { type NamedValues, sqlTextOf, statementOf } from './statement-text.ts'

/** A pool, a snapshot or a transaction. */
type From = { readonly sender: Sender }

/** The number of rows that a statement has changed, and the id of the first new one. */
export type WriteResult = { readonly affectedRows: number; readonly insertId: number }

/** Reads the rows of an SQL text with named values: `:id` is a value or a list of values, `:posts:` an identifier. */
export async function readRows<Row>(
  from: From,
  statement: string,
  values: NamedValues,
): Promise<Row[]> {
  return (await from.sender.send(statementOf(statement, values))).rows as Row[]
}

/** Reads the first row of an SQL text with named values; see `readRows`. */
export async function readRow<Row>(
  from: From,
  statement: string,
  values: NamedValues,
): Promise<Row | undefined> {
  const [row] = await readRows<Row>(from, statement, values)
  return row
}

/** Reads the rows of an SQL text with named values one by one, so that their number does not matter; see `readRows`. */
export function streamRows<Row>(
  from: From,
  statement: string,
  values: NamedValues,
): AsyncIterable<Row> {
  return from.sender.stream(statementOf(statement, values)) as AsyncIterable<Row>
}

/** Runs an SQL text with named values that creates, changes or deletes tables. No transaction can contain it: the server commits. */
export async function defineTables(
  from: From,
  statement: string,
  values: NamedValues = {},
): Promise<void> {
  await from.sender.send(statementOf(statement, values))
}

/** A SELECT with its values. */
export type Select = { readonly statement: string; readonly values: NamedValues }

/** Several SELECTs as one that returns the rows of all of them, as a value of an SQL text. */
export const unionOf = (selects: readonly Select[]) => ({
  toSqlString: () =>
    selects.map(({ statement, values }) => `(${sqlTextOf(statement, values)})`).join(' UNION ALL '),
})
