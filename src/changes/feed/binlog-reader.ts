import ZongJi, { type BinlogEventByTypeName } from '@vlasky/zongji'
import type { connectionSettings } from '../../db/connection.ts'
import type { RawConnection } from '../../db/reply-timeout.ts'

export type { AnyBinlogEvent, BinlogEventByTypeName } from '@vlasky/zongji'

/** A column in the terms of `information_schema.columns`. With a null character set, its texts are not decoded. */
export type TableColumn = {
  readonly COLUMN_NAME: string
  readonly COLUMN_TYPE: string
  readonly CHARACTER_SET_NAME: string | null
}

/** What decides which rows are read. An error of these functions ends the stream. */
export type FollowedTables = {
  /** Whether the rows of a table matter. Those of other tables are not read. Called for each table of a statement. */
  readonly isFollowed: (schema: string, table: string) => boolean
  /** The columns of a followed table, in their order. */
  readonly readColumns: (table: string) => Promise<readonly TableColumn[]>
  /** Rows of a followed table changed whose columns are not known: it was altered or dropped since. */
  readonly onUnknownRows: (table: string) => void
}

/**
 * zongji with private methods replaced, which it does not declare; a test fails when the package changes. It asks which tables to read, instead of comparing with a list: a network may have ten thousand
 * sites, and new ones at any time. And it asks for the columns of a table, because the account of the feed needs no rights on tables; if they
 * do not match the event, zongji would end the stream.
 */
export class BinlogReader extends ZongJi {
  readonly #tables: FollowedTables
  #isReadingColumns = false

  constructor(settings: ReturnType<typeof connectionSettings>, tables: FollowedTables) {
    super(settings as ConstructorParameters<typeof ZongJi>[0])
    this.#tables = tables
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

  /** Called by zongji for each table of a statement. */
  _skipSchema(schema: string, table: string): boolean {
    return !this.#tables.isFollowed(schema, table)
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
        this.#tables.onUnknownRows(tableName)
        this.connection?.resume()
      }
    }
    this.#isReadingColumns = true
    this.#tables
      .readColumns(tableName)
      .then(useColumns)
      .catch((error) => this.emit('error', error))
  }
}

const UNUSED_IN_COLUMNS = { COLLATION_NAME: null, COLUMN_COMMENT: '' }
