import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { BinlogListener, RowChange, TableColumn } from './binlog-stream.ts'
import { addRows, addTable, hasWholeTable } from './changed-rows.ts'
import type { ChangedSites } from './changed-sites.ts'
import { addStatement, type FollowedNetwork } from './changed-statements.ts'

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
  // With `binlog_format=MIXED`, a renewal is a statement.
  const beats = new RegExp(`${options.beats}(\\d+)`)
  const findBeat = (text: string): number | undefined => {
    const [, beat] = beats.exec(text) ?? []
    return beat === undefined ? undefined : Number(beat)
  }
  // Long texts are bytes.
  const beatsIn = ({ after }: RowChange) => findBeat(String(after?.state ?? '')) ?? []
  return {
    isFollowed: (schema, name) => {
      const table = schema.toLowerCase() === database ? findTable(name) : undefined
      return table !== undefined && !hasWholeTable(changes, table)
    },
    onRows: (name, rows) => {
      const table = findTable(name)
      if (table?.kind === 'tasks') for (const beat of rows.flatMap(beatsIn)) onBeat(beat)
      if (!table || table.kind === 'tasks') return true
      rowsOfTransaction += rows.length
      if (rowsOfTransaction > MAX_ROWS_READ) addTable(changes, table)
      else addRows(changes, table, rows)
      onEvent()
      // Transactions do not overlap in the binlog: when a part of one is visible, so is the rest.
      return !hasWholeTable(changes, table)
    },
    onUnknownRows: (name) => {
      const table = findTable(name)
      if (table) addTable(changes, table)
      onEvent()
    },
    onStatement: ({ sql, schema }) => {
      const beat = sql.length > MAX_RENEWAL_LENGTH ? undefined : findBeat(sql)
      if (beat !== undefined) onBeat(beat)
      else if (addStatement(changes, { sql, schema }, network)) onEvent()
    },
    onCommit: () => {
      rowsOfTransaction = 0
      onCommit()
    },
    readColumns: (table) => readColumns(db, table),
  }
}

/** Positions may be long on servers with many replicas in their past. */
const MAX_RENEWAL_LENGTH = 100_000

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
