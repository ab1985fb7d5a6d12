import type { Knex } from 'knex'
import { sendLater } from './connection.ts'
import type { RawConnection } from './raw-connection.ts'
import { type NamedValues, statementOf } from './statement-text.ts'

/** An SQL text with named values, or a statement of the query builder. */
export type LaterStatement = string | Knex.Raw | Knex.QueryBuilder

/** The number of rows that a statement has changed, and the id of the first new one. */
export type WriteResult = { readonly affectedRows: number; readonly insertId: number }

/**
 * Sends an SQL text with named values and returns the driver's reply: rows, or the header of a write. It bypasses the objects of the query builder, but
 * not its connections and events.
 */
export async function sendText(
  { client }: Knex,
  statement: string,
  values: NamedValues,
): Promise<unknown> {
  const connection = await client.acquireConnection()
  try {
    const sent = await client.query(connection, statementOf(statement, values))
    client.emit('query-response', sent.response[0], sent)
    return sent.response[0]
  } finally {
    client.releaseConnection(connection)
  }
}

/** Sends a statement with the next one that is needed on the connection of a transaction. */
export function sendStatementLater(
  { client }: Knex,
  connection: RawConnection,
  statement: LaterStatement,
  values: NamedValues,
): Promise<unknown> {
  const ready =
    typeof statement === 'string' ? statementOf(statement, values) : statement.toSQL().toNative()
  client.emit('query', ready)
  return sendLater(connection, ready)
}
