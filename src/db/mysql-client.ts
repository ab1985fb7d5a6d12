import type { Knex } from 'knex'
// @ts-expect-error The query builder's own client, of which its types don't know.
import MySql2Client from 'knex/lib/dialects/mysql2/index.js'
import type { Connection } from 'mysql2'

type Statement = { readonly bindings?: readonly unknown[] }

/** In characters. To escape a megabyte the driver goes through it for 20 ms, and spells it once more, while every request waits. */
const LONG_TEXT = 32 * 1024

/**
 * The query builder's client, but a statement with a long text among its values is sent prepared: its values then stand beside it as the
 * bytes they are, and a text of two megabytes fits into the smallest `max_allowed_packet` that servers come with (4 MB).
 */
class PreparingClient extends MySql2Client {
  _query(connection: Connection, statement: Statement): Promise<Statement> {
    const sender = statement.bindings?.some(isLong) ? preparing(connection) : connection
    return super._query(sender, statement)
  }
}

export const MySqlClient = PreparingClient as unknown as typeof Knex.Client

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length >= LONG_TEXT

/** A connection that prepares what it is asked, once for each text of a statement. */
function preparing(connection: Connection): Pick<Connection, 'query'> {
  return { query: connection.execute.bind(connection) as Connection['query'] }
}
