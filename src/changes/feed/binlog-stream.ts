import { randomInt } from 'node:crypto'
import { connectionSettings } from '../../db/connection.ts'
import type { RawConnection } from '../../db/reply-timeout.ts'
import type { Timings } from '../../host/timings.ts'
import {
  type AnyBinlogEvent,
  type BinlogEventByTypeName,
  BinlogReader,
  type FollowedTables,
} from './binlog-reader.ts'

/** A row before and after an event. With `binlog_row_image=MINIMAL`, columns that the event does not contain are null. */
export type RowChange = {
  readonly before?: RowImage | undefined
  readonly after?: RowImage | undefined
}
export type RowImage = Readonly<Record<string, unknown>>

/** What a stream reports, in the order of the binlog. An error of these functions ends the stream. */
export type BinlogListener = FollowedTables & {
  /**
   * Rows of a followed table changed.
   * @returns whether further rows of the table matter before the transaction ends
   */
  readonly onRows: (table: string, rows: readonly RowChange[]) => boolean
  /** A table was created, altered or dropped. */
  readonly onDefinition: (statement: BinlogStatement) => void
  /** The binlog contains the text of a statement instead of the rows that it changed. */
  readonly onStatement: (statement: BinlogStatement) => void
  /** A transaction ended. */
  readonly onCommit: () => void
}

/** `schema`: the default database of the statement. */
export type BinlogStatement = { readonly sql: string; readonly schema: string }

export type BinlogStreamOptions = {
  /** Of an account with the privilege REPLICATION SLAVE. */
  readonly url: string
  /** The stream starts after this GTID set (MySQL) or position (MariaDB). */
  readonly position: string
  readonly listener: BinlogListener
  readonly timings: Timings
}

/** How long the stream may block the event loop, in milliseconds. */
const MAX_BLOCK_MS = 5
/** Descriptions of tables that are cached, each of one or two kilobytes. A server that reopens a table gives it another id. */
const MAX_TABLE_MAPS = 10_000

const INCLUDED_EVENTS = [
  'tablemap',
  'writerows',
  'updaterows',
  'deleterows',
  'query',
  'xid',
  'gtid',
  'mariadbgtid',
]

/**
 * The wire: one connection that receives the binlog as a replica does, from a GTID position on. It never reconnects. When the connection is
 * lost, or an event cannot be read, the stream ends.
 */
export class BinlogStream {
  /** Resolves when the stream has ended: to the error, or to undefined after `stop`. */
  readonly ended: Promise<Error | undefined>
  readonly #reader: BinlogReader
  readonly #listener: BinlogListener
  #resolveEnded: (error: Error | undefined) => void = () => {}
  #isInTransaction = false
  #tableMaps = 0

  /** Connects at once. */
  constructor({ url, position, listener, timings }: BinlogStreamOptions) {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
    this.#listener = listener
    this.#reader = new BinlogReader(connectionSettings(url, timings.db.connectTimeoutMs), listener)
    this.#reader.on('binlog', (event) => {
      try {
        this.#receive(event)
      } catch (error) {
        this.#end(error as Error)
      }
    })
    this.#reader.on('error', (error) => this.#end(error))
    this.#reader.on('ready', () => {
      this.#reader.yieldAfter(MAX_BLOCK_MS)
      // It asked for settings of the server. Idle, it would end after the server's `wait_timeout`.
      this.#reader.ctrlConnection?.end()
    })
    // Two replicas with the same id disconnect each other.
    const serverId = randomInt(1, 2 ** 32)
    this.#reader.start({ gtidSet: position, serverId, includeEvents: INCLUDED_EVENTS })
    this.#watchSilence(timings.feed.silenceMs)
  }

  /** The position after the last transaction that is known to be complete. */
  get position(): string {
    return this.#reader.gtidSet ?? ''
  }

  stop(): void {
    this.#end(undefined)
  }

  #end(error: Error | undefined): void {
    if (!this.#reader.stopped) this.#reader.stop()
    this.#resolveEnded(error)
  }

  /** A connection can be lost without notice, at a NAT gateway for example. So the server sends a heartbeat when it has nothing else to send. */
  #watchSilence(silenceMs: number): void {
    const connection = this.#reader.connection as RawConnection | null
    const heartbeat = Math.round((silenceMs * 1e6) / 5)
    // In nanoseconds, for MariaDB and MySQL. Commands of a connection run in order, so it is set before the stream starts.
    connection?.query(
      `SET @master_heartbeat_period = ${heartbeat}, @source_heartbeat_period = ${heartbeat}`,
      (error) => error && this.#end(error),
    )
    connection?.stream.setTimeout(silenceMs, () => {
      const error = new Error(`the binlog stream received nothing for ${silenceMs / 1000} s`)
      this.#end(Object.assign(error, { code: 'ETIMEDOUT' }))
    })
  }

  #receive(event: AnyBinlogEvent): void {
    switch (event.getTypeName()) {
      case 'TableMap':
        this.#tableMaps += 1
        break
      case 'WriteRows':
      case 'UpdateRows':
      case 'DeleteRows':
        this.#receiveRows(event as RowsEvent)
        break
      case 'Query':
        this.#receiveStatement(event as BinlogEventByTypeName<'Query'>)
        break
      case 'Xid':
      case 'Gtid':
        this.#commit()
        break
      case 'MariadbGtid':
        this.#commit()
        this.#isInTransaction = !(event as BinlogEventByTypeName<'MariadbGtid'>).standalone
    }
  }

  #receiveRows(event: RowsEvent): void {
    const { tableMap } = this.#reader
    const table = tableMap[event.tableId]?.tableName
    if (table === undefined) return
    // Rows of a table without a description are not read. Each statement describes its tables again.
    if (!this.#listener.onRows(table, rowChanges(event))) delete tableMap[event.tableId]
  }

  #receiveStatement({ query: sql, schema }: BinlogEventByTypeName<'Query'>): void {
    const [, verb] = TRANSACTION.exec(sql) ?? []
    if (verb?.toUpperCase() === 'BEGIN') {
      this.#isInTransaction = true
      return
    }
    const isEnd = verb !== undefined
    // Definitions of tables are no part of a transaction, with few exceptions.
    if (!isEnd && this.#isInTransaction && !NO_DATA.test(sql))
      this.#listener.onStatement({ sql, schema })
    else if (!isEnd) this.#listener.onDefinition({ sql, schema })
    if (isEnd || !this.#isInTransaction) this.#commit()
  }

  #commit(): void {
    this.#isInTransaction = false
    if (this.#tableMaps > MAX_TABLE_MAPS) {
      this.#reader.tableMap = {}
      this.#tableMaps = 0
    }
    this.#listener.onCommit()
  }
}

type RowsEvent = BinlogEventByTypeName<'WriteRows' | 'UpdateRows' | 'DeleteRows'>

/** What begins or ends a transaction. */
const TRANSACTION = /^\s*(BEGIN|COMMIT|ROLLBACK)\s*$/i
/** Statements within a transaction that change no rows, such as CREATE TABLE … SELECT, whose rows follow. */
const NO_DATA = /^\s*(?:CREATE|DROP|SAVEPOINT|ROLLBACK|XA)\b/i

function rowChanges(event: RowsEvent): readonly RowChange[] {
  const kind = event.getTypeName()
  if (kind === 'UpdateRows') return event.rows as readonly RowChange[]
  const images = event.rows as readonly RowImage[]
  return images.map((row) => (kind === 'WriteRows' ? { after: row } : { before: row }))
}
