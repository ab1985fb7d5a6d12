import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { TableColumn } from './binlog-reader.ts'
import type { BinlogListener, BinlogStatement, RowChange } from './binlog-stream.ts'
import type { ChangedSites } from './changed-sites.ts'
import { addRow, addTable, hasWholeTable } from './event-rows.ts'
import type { FindTable } from './network-tables.ts'

/** The network whose tables are followed. */
export type FollowedNetwork = {
  /** The name of its database. */
  readonly database: string
  readonly findTable: FindTable
}

export type ChangeListenerOptions = {
  readonly db: Db
  readonly network: FollowedNetwork
  /** Collects the changes. It is emptied between events. */
  readonly changes: ChangedSites
  /** See `beatsOf`. */
  readonly beats: string
  /** A renewal of this session came back. */
  readonly onBeat: (beat: number) => void
  /** An event that changed tables of the network was added. */
  readonly onEvent: () => void
  /** A transaction ended. */
  readonly onCommit: () => void
}

/**
 * After this number of rows of a transaction, all rows of its tables count as changed: to read a million rows that no page shows takes longer
 * than to compare a site.
 */
export const MAX_ROWS_READ = 10_000

/** The meaning of events: collects the rows of the network that they name, and ignores everything else. */
export function changeListener(options: ChangeListenerOptions): BinlogListener {
  const { db, network, changes, onBeat, onEvent, onCommit } = options
  const { findTable } = network
  const database = network.database.toLowerCase()
  let rowsOfTransaction = 0
  const beats = new RegExp(`${options.beats}(\\d+)`)
  const seeBeat = ({ after }: RowChange): void => {
    // Long texts are bytes.
    const [, beat] = beats.exec(String(after?.state)) ?? []
    if (beat !== undefined) onBeat(Number(beat))
  }
  const databaseName = new RegExp(`(?<!\\w)${database.replace(/\W/g, '\\$&')}(?!\\w)`, 'i')
  /** What a statement names before its values, if it may be one on the network's database. */
  const namesIn = ({ sql, schema }: BinlogStatement): string | undefined => {
    const names = sql.slice(0, MAX_NAMES_LENGTH)
    return databaseName.test(`${schema} ${names}`) ? names : undefined
  }
  return {
    isFollowed: (schema, name) => {
      const table = schema.toLowerCase() === database ? findTable(name) : undefined
      return table !== undefined && !hasWholeTable(changes, table)
    },
    onRows: (name, rows) => {
      const table = findTable(name)
      if (table?.kind === 'tasks') for (const row of rows) seeBeat(row)
      if (!table || table.kind === 'tasks') return true
      rowsOfTransaction += rows.length
      if (rowsOfTransaction > MAX_ROWS_READ) addTable(changes, table)
      else for (const row of rows) addRow(changes, table, row)
      onEvent()
      // Transactions do not overlap in the binlog: when a part of one is visible, so is the rest.
      return !hasWholeTable(changes, table)
    },
    onUnknownRows: (name) => {
      const table = findTable(name)
      if (table) addTable(changes, table)
      onEvent()
    },
    onDefinition: (statement) => {
      // A name too many is harmless, because rows are compared before anything is built.
      for (const [name] of namesIn(statement)?.matchAll(/\w+/g) ?? []) {
        const table = findTable(name)
        if (!table) continue
        addTable(changes, table)
        onEvent()
      }
    },
    onStatement: (statement) => {
      if (namesIn(statement) !== undefined) throw new StatementError()
    },
    onCommit: () => {
      rowsOfTransaction = 0
      onCommit()
    },
    readColumns: (table) => readColumns(db, table),
  }
}

/** In characters. */
const MAX_NAMES_LENGTH = 64 * 1024

/** A program writes statements to the binlog, which do not say which rows they change. */
class StatementError extends Error {
  override readonly name = 'StatementError'
  override readonly message =
    'a connection writes statements instead of rows, because binlog_format was STATEMENT or MIXED when it began'
}

/** The columns of a table. Long texts are not decoded, because only ids and names are read. */
function readColumns(db: Db, table: string): Promise<TableColumn[]> {
  return readRows<TableColumn>(
    db,
    `SELECT COLUMN_NAME, COLUMN_TYPE, IF(DATA_TYPE LIKE '%text', NULL, CHARACTER_SET_NAME) AS CHARACTER_SET_NAME
      FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = :table
      ORDER BY ORDINAL_POSITION`,
    { table },
  )
}
