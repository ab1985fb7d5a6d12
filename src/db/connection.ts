import { readFileSync } from 'node:fs'
import type { PassThrough, Readable } from 'node:stream'
import type { Knex } from 'knex'
// @ts-expect-error Knex's own MySQL client class; its type declarations do not cover it.
import MySql2Client from 'knex/lib/dialects/mysql2/index.js'
import { type Connection, format, type SqlValue, type SslOptions } from 'mysql2'
import { type DatabaseParameters, databaseParameters } from '../host/config/database-parameters.ts'
import {
  type RawConnection,
  type Reply,
  StatementQueue,
  type StatementQueueOptions,
  type StatementSender,
} from './statement-queue.ts'
import { hasLongTexts, type Statement } from './statement-text.ts'

/**
 * The driver's settings for a `mysql://user:pw@host:port/name` URL (`?socketPath=` for a Unix socket, `?ssl=1` for TLS; see
 * `DatabaseParameters`). Dates are returned as the strings in the tables: WordPress stores zero dates and site-local times, which a
 * JavaScript Date would change.
 */
export function connectionSettings(
  address: string,
  connectTimeoutMs?: number,
): Knex.MySql2ConnectionConfig {
  const url = new URL(address)
  const { hostname, port, username, password, pathname } = url
  const { socketPath, ...tls } = databaseParameters(url)
  return {
    ...(socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...tlsSettings(tls),
    charset: 'utf8mb4',
    dateStrings: true,
    supportBigNumbers: true,
    stringifyObjects: true,
    queryFormat: formatStatement,
    connectTimeout: connectTimeoutMs,
    maxPreparedStatements: 16,
  }
}

/** A text without values stays as it is: the driver would look for `?` in all of it. */
function formatStatement(sql: string, values: unknown, timezone = 'local'): string {
  const isComplete = values === undefined || (Array.isArray(values) && values.length === 0)
  return isComplete ? sql : format(sql, values as SqlValue[], true, timezone as 'local')
}

/** Where a URL's database is, without account and password. */
export function addressOf(url: string): string {
  const { host, port, socketPath, database } = connectionSettings(url)
  return `${socketPath ?? `${host}:${port}`}/${database}`
}

/** The same as a sentence, which says whether it is reached through a Unix socket or by TCP. */
export function describeAddress(url: string): string {
  const { host, port, socketPath, database } = connectionSettings(url)
  return socketPath
    ? `The database ${database}, through the socket ${socketPath}.`
    : `The database ${database}, by TCP at ${host}:${port}.`
}

type TlsSettings = Knex.MariaSslConfiguration & Pick<SslOptions, 'verifyIdentity'>

/** The driver closes a connection that it cannot encrypt, or whose certificate is not trusted. */
function tlsSettings({ sslMode, sslCa }: Omit<DatabaseParameters, 'socketPath'>): {
  readonly ssl?: TlsSettings
} {
  if (sslMode === 'DISABLED') return {}
  return {
    ssl: {
      rejectUnauthorized: sslMode !== 'REQUIRED',
      verifyIdentity: sslMode === 'VERIFY_IDENTITY',
      ...(sslCa === undefined ? {} : { ca: readFileSync(sslCa, 'utf8') }),
    },
  }
}

const queues = new WeakMap<RawConnection, StatementQueue>()

/** Lets a connection send several statements in a packet. */
export function queueStatements(
  connection: RawConnection,
  options: Omit<StatementQueueOptions, 'noReply'>,
): void {
  queues.set(connection, new StatementQueue(connection, { ...options, noReply }))
}

/**
 * Sends a statement together with the next one that is needed on this connection, which has a queue.
 * @throws what the driver throws for a value that it cannot escape, at once: the caller does not wait for the result
 */
export function sendLater(connection: RawConnection, statement: Statement): Promise<unknown> {
  const { sql, bindings = [], text } = statement
  const queue = queues.get(connection)
  if (!queue) throw new Error('this connection sends each statement at once')
  const isAlone = isLong(statement)
  const ready = isAlone ? sql : (text ?? connection.format(sql, [...bindings]))
  return new Promise((resolve, reject) => {
    const reply: Reply = (error, rows) => {
      if (!error) return resolve(rows)
      error.message = `${sql} - ${error.message}`
      reject(error)
    }
    queue.later(ready, isAlone ? [...bindings] : undefined, reply)
  })
}

/** Sends what waits on this connection. Resolves when it has succeeded. */
export async function flushStatements(connection: RawConnection): Promise<void> {
  await queues.get(connection)?.flush()
}

/**
 * The query builder's client with three changes. Connections with a queue send several statements in a packet, see `StatementQueue`. A statement with long texts among its values is sent prepared: the values travel as raw
 * bytes, so a text of two megabytes fits into the smallest default `max_allowed_packet` (4 MB). A statement without a reply in time fails;
 * see `withReplyTimeout`.
 */
export function mySqlClient(replyTimeoutMs: number): typeof Knex.Client {
  class TimeoutClient extends MySql2Client {
    _query(connection: RawConnection, statement: Statement | string): Promise<Statement> {
      const isAlone = isLong(statement)
      const queue = queues.get(connection)
      if (queue)
        return super._query(
          textSender(isAlone ? queue.alone : queue.inPacket, statement),
          statement,
        )
      const single = isAlone ? preparingConnection(connection) : connection
      const sender = textSender(single as StatementSender, statement)
      return withReplyTimeout(connection, super._query(sender, statement), replyTimeoutMs)
    }

    async _stream(
      connection: RawConnection,
      statement: Statement,
      rows: PassThrough,
      options: object,
    ): Promise<void> {
      // The driver sends it at once: what waits comes first, such as the begin of a snapshot.
      await flushStatements(connection).catch((error) => {
        rows.destroy(error)
        throw error
      })
      rows.once('pipe', (source: Readable) => limitSilence(connection, source, replyTimeoutMs))
      return super._stream(connection, statement, rows, options)
    }

    checkVersion(connection: RawConnection): Promise<void> {
      return withReplyTimeout(connection, super.checkVersion(connection), replyTimeoutMs)
    }
  }
  return TimeoutClient as unknown as typeof Knex.Client
}

/**
 * The reply to a statement. TCP may take 15 minutes and more to notice a dead host. If no reply arrives within `replyTimeoutMs`, the socket
 * is destroyed and the statement fails like one on a dropped connection.
 */
export async function withReplyTimeout<T>(
  { stream }: RawConnection,
  reply: Promise<T>,
  replyTimeoutMs: number,
): Promise<T> {
  const timer = setTimeout(() => stream.destroy(noReply(replyTimeoutMs)), replyTimeoutMs)
  try {
    return await reply
  } finally {
    clearTimeout(timer)
  }
}

/** The same for the next row of a streamed statement. The driver does not tell a stream that its connection is lost. */
function limitSilence({ stream }: RawConnection, rows: Readable, replyTimeoutMs: number): void {
  let reason: Error = Object.assign(new Error('the connection to the database was lost'), {
    code: 'PROTOCOL_CONNECTION_LOST',
  })
  const fail = (): void => void rows.destroy(reason)
  const timer = setTimeout(() => {
    // The reader may be slow, instead of the database.
    if (rows.isPaused()) return timer.refresh()
    reason = noReply(replyTimeoutMs)
    stream.destroy(reason)
  }, replyTimeoutMs)
  const end = (): void => {
    clearTimeout(timer)
    stream.off('close', fail)
  }
  stream.once('close', fail)
  rows.on('data', () => timer.refresh())
  for (const event of ['end', 'error', 'close']) rows.once(event, end)
}

const noReply = (ms: number): Error =>
  Object.assign(new Error(`the database sent no reply within ${ms / 1000} s`), {
    code: 'ETIMEDOUT',
  })

const isLong = (statement: Statement | string): boolean =>
  typeof statement !== 'string' && hasLongTexts(statement.bindings ?? [])

/** Sends the text of a statement that has one. */
function textSender(sender: StatementSender, statement: Statement | string): StatementSender {
  if (typeof statement === 'string' || statement.text === undefined) return sender
  const { text } = statement
  return { query: (_, __, reply) => sender.query({ sql: text }, [], reply) }
}

/** A connection that sends every query as a prepared statement, prepared once for each statement text. */
function preparingConnection(connection: Connection): Pick<Connection, 'query'> {
  return { query: connection.execute.bind(connection) as Connection['query'] }
}
