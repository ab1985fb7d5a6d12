import type { Socket } from 'node:net'
import type { Knex } from 'knex'
// @ts-expect-error The query builder's own client, of which its types don't know.
import MySql2Client from 'knex/lib/dialects/mysql2/index.js'
import type { Connection } from 'mysql2'

type Statement = { readonly bindings?: readonly unknown[] }

/** The driver's connection, and what it speaks through. */
export type RawConnection = Connection & { readonly stream: Socket }

/** In characters. To escape a megabyte the driver goes through it for 20 ms, and spells it once more, while every request waits. */
const LONG_TEXT_LENGTH = 32 * 1024

/**
 * The query builder's client, but a statement with a long text among its values is sent prepared: its values then stand beside it as the
 * bytes they are, and a text of two megabytes fits into the smallest `max_allowed_packet` that servers come with (4 MB). Servers that keep
 * silent are hung up on, see `heard`.
 */
export function mySqlClient(patienceMs: number): typeof Knex.Client {
  class PatientClient extends MySql2Client {
    _query(connection: RawConnection, statement: Statement): Promise<Statement> {
      const sender = statement.bindings?.some(isLong) ? preparingConnection(connection) : connection
      return withReplyTimeout(connection, super._query(sender, statement), patienceMs)
    }

    checkVersion(connection: RawConnection): Promise<void> {
      return withReplyTimeout(connection, super.checkVersion(connection), patienceMs)
    }
  }
  return PatientClient as unknown as typeof Knex.Client
}

/**
 * The answer to what was sent on a connection. Where a host vanishes without a word, the operating system waits for it a quarter of an hour
 * and more, and so would whoever asked: one that keeps silent for too long is hung up on, and the statement fails like one that was cut off.
 */
export async function withReplyTimeout<T>(
  { stream }: RawConnection,
  answer: Promise<T>,
  patienceMs: number,
): Promise<T> {
  const hangUp = setTimeout(() => {
    const silence = new Error(`the database kept silent for ${patienceMs / 1000} s`)
    stream.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }))
  }, patienceMs)
  try {
    return await answer
  } finally {
    clearTimeout(hangUp)
  }
}

const isLong = (value: unknown): boolean =>
  typeof value === 'string' && value.length >= LONG_TEXT_LENGTH

/** A connection that prepares what it is asked, once for each text of a statement. */
function preparingConnection(connection: Connection): Pick<Connection, 'query'> {
  return { query: connection.execute.bind(connection) as Connection['query'] }
}
