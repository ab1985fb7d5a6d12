import { randomInt } from 'node:crypto'
import ZongJi, { type AnyBinlogEvent, type BinlogEventByTypeName } from '@vlasky/zongji'
import { connectionSettings } from '../db/connection.ts'
import type { RawConnection } from '../db/statement-queue.ts'
import type { Timings } from '../timings.ts'

/** A row before and after an event. With `binlog_row_image=MINIMAL`, columns that the event does not contain are null. */
export type RowChange = {
  readonly before?: RowImage | undefined
  readonly after?: RowImage | undefined
}
export type RowImage = Readonly<Record<string, unknown>>

/** A column in the terms of `information_schema.columns`. With a null character set, its texts are not decoded. */
export type TableColumn = {
  readonly COLUMN_NAME: string
  readonly COLUMN_TYPE: string
  readonly CHARACTER_SET_NAME: string | null
}

/** What a stream reports, in the order of the binlog. An error of these functions ends the stream. */
export type BinlogListener = {
  /** Whether the rows of a table matter. Those of other tables are not read. Called for each table of a statement. */
  readonly isFollowed: (schema: string, table: string) => boolean
  /**
   * Rows of a followed table changed.
   * @returns whether further rows of the table matter before the transaction ends
   */
  readonly onRows: (table: string, rows: readonly RowChange[]) => boolean
  /** Rows of a followed table changed whose columns are not known: it was altered or dropped since. */
  readonly onUnknownRows: (table: string) => void
  /** The binlog contains the text of a statement instead of rows. */
  readonly onStatement: (statement: { readonly sql: string; readonly schema: string }) => void
  /** A transaction ended. */
  readonly onCommit: () => void
  /** The columns of a followed table, in their order. */
  readonly readColumns: (table: string) => Promise<readonly TableColumn[]>
}

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
    this.#reader.on('binlog', (event) => this.#receive(event))
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
    const verb = sql.length <= MAX_MARKER_LENGTH ? sql.trim().toUpperCase() : ''
    if (verb === 'BEGIN') {
      this.#isInTransaction = true
      return
    }
    const isEnd = verb === 'COMMIT' || verb === 'ROLLBACK'
    if (!isEnd) this.#listener.onStatement({ sql, schema })
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

/** Of BEGIN, COMMIT and ROLLBACK. */
const MAX_MARKER_LENGTH = 16
/** Of any statement that ends a transaction, such as XA COMMIT with its id. */
const MAX_COMMIT_LENGTH = 1000

function rowChanges(event: RowsEvent): readonly RowChange[] {
  const kind = event.getTypeName()
  if (kind === 'UpdateRows') return event.rows as readonly RowChange[]
  const images = event.rows as readonly RowImage[]
  return images.map((row) => (kind === 'WriteRows' ? { after: row } : { before: row }))
}

/** Methods that zongji calls itself, and does not declare. Its version is pinned. */
type Internals = { _trackGtidProgress(eventName: string, event: object): boolean }
const ZongJiInternals = ZongJi as unknown as new (
  ...options: ConstructorParameters<typeof ZongJi>
) => ZongJi & Internals

/**
 * zongji with some of its methods replaced. It asks the listener which tables to read, instead of comparing with a list: a network may have
 * ten thousand sites, and new ones at any time. And it asks the listener for the columns of a table, because the account of the feed needs
 * no rights on tables; if they do not match the event, zongji would end the stream.
 */
class BinlogReader extends ZongJiInternals {
  readonly #listener: BinlogListener
  #isReadingColumns = false

  constructor(settings: ReturnType<typeof connectionSettings>, listener: BinlogListener) {
    super(settings as ConstructorParameters<typeof ZongJi>[0])
    this.#listener = listener
  }

  /**
   * From now on pauses the stream until the next iteration of the event loop when its data have taken so long in this one. Without that, libuv
   * reads a socket 32 times in a row if the server sends faster than events are read.
   */
  yieldAfter(milliseconds: number): void {
    const { stream } = this.connection as RawConnection
    let begin: number | undefined
    let isPaused = false
    const nextIteration = (): void => {
      begin = undefined
      // `next` resumes the stream when the columns are known, and not before.
      if (isPaused && !this.#isReadingColumns) stream.resume()
      isPaused = false
    }
    stream.on('data', () => {
      if (begin === undefined) {
        begin = performance.now()
        setImmediate(nextIteration)
      } else if (!isPaused && performance.now() - begin > milliseconds) {
        isPaused = true
        stream.pause()
      }
    })
  }

  /** Called by zongji for each event that may end a transaction. It would convert a statement of megabytes to upper case. */
  override _trackGtidProgress(eventName: string, event: { readonly query?: string }): boolean {
    if ((event.query?.length ?? 0) > MAX_COMMIT_LENGTH) return false
    return super._trackGtidProgress(eventName, event)
  }

  /** Called by zongji for each table of a statement. */
  _skipSchema(schema: string, table: string): boolean {
    return !this.#listener.isFollowed(schema, table)
  }

  /** Called by zongji, with the stream paused, for a table whose description is not cached. `next` resumes the stream. */
  _fetchTableInfo(event: BinlogEventByTypeName<'TableMap'>, next: () => void): void {
    const { tableId, tableName, schemaName: parentSchema, columnCount } = event
    const useColumns = (columns: readonly TableColumn[]): void => {
      this.#isReadingColumns = false
      if (this.stopped) return
      if (columns.length === columnCount) {
        const columnSchemas = columns.map((column) => ({ ...column, ...UNUSED_IN_COLUMNS }))
        this.tableMap[tableId] = { columnSchemas, parentSchema, tableName }
        next()
      } else {
        this.#listener.onUnknownRows(tableName)
        this.connection?.resume()
      }
    }
    this.#isReadingColumns = true
    this.#listener
      .readColumns(tableName)
      .then(useColumns)
      .catch((error) => this.emit('error', error))
  }
}

const UNUSED_IN_COLUMNS = { COLLATION_NAME: null, COLUMN_COMMENT: '' }
