import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

/** The table of the change feed and of the poll: a row for each. */
export const feedTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_feed`

/**
 * The id of the row of the feed, and of that of the poll, which uses its owner and its lease only: one process at a time polls for all others.
 */
const FEED_ROW = 1
export const POLL_ROW = 2

/** How long a process has the feed without renewal, in seconds. After a crash another process continues after this time. */
export const FEED_LEASE_SECONDS = 3
/** A later due time shows that the clock of the database was set back: the lease has ended. */
const MAX_LEASE_SECONDS = 60
/** A feed that is further behind does not replace the poll, in milliseconds. */
const MAX_LAG_MS = 30_000
const MAX_ERROR_LENGTH = 500

const LEASE_END = `NOW(6) + INTERVAL ${FEED_LEASE_SECONDS} SECOND`
const IS_IN_FORCE = `owner IS NOT NULL AND due_at > NOW(6) AND due_at <= NOW(6) + INTERVAL ${MAX_LEASE_SECONDS} SECOND`

/** Up to where the feed was followed. */
export type FeedPosition = {
  /** Identifies the server that the position belongs to, see `readFeedServer`. */
  readonly server: string
  /** A GTID set (MySQL) or position (MariaDB). */
  readonly position: string
}

/** The feed as all processes see it. */
export type FeedState = {
  /** The process that has the feed; null if none has a lease in force. */
  readonly owner: string | null
  /** Whether the feed reports changes in time: the poll may slow down. */
  readonly isHealthy: boolean
  /** How long changes take to arrive, in milliseconds; null before the first one has arrived. */
  readonly lagMs: number | null
  readonly position: FeedPosition | undefined
  /** Why the feed failed last, and how many seconds ago. */
  readonly error: { readonly message: string; readonly secondsAgo: number } | undefined
}

type FeedRow = {
  readonly owner: string | null
  readonly is_in_force: number
  readonly lag_ms: number | null
  readonly server: string | null
  readonly position: string | null
  readonly error: string | null
  readonly error_seconds: number | null
}

/** A new owner: 16 hexadecimal digits. */
export const newFeedOwner = (): string => randomBytes(8).toString('hex')

/** Reads the state of the feed; undefined if no process has ever started one. One statement. */
export async function readFeedState(
  db: Db,
  globals: GlobalTables,
  row = FEED_ROW,
): Promise<FeedState | undefined> {
  const [found] = await readRows<FeedRow>(
    db,
    `SELECT owner, ${IS_IN_FORCE} AS is_in_force, lag_ms, server, position, error,
      TIMESTAMPDIFF(SECOND, error_at, NOW(6)) AS error_seconds FROM :feed: WHERE id = :row`,
    { feed: feedTable(globals), row },
  )
  if (!found) return undefined
  const { server, position, error, lag_ms: lagMs } = found
  const isInForce = Number(found.is_in_force) === 1
  return {
    owner: isInForce ? found.owner : null,
    isHealthy: isInForce && lagMs !== null && lagMs <= MAX_LAG_MS,
    lagMs: isInForce ? lagMs : null,
    position: server === null || position === null ? undefined : { server, position },
    error: error === null ? undefined : { message: error, secondsAgo: found.error_seconds ?? 0 },
  }
}

/** Whether the feed reports changes, so that the poll may slow down. */
export async function isFeedHealthy(db: Db, globals: GlobalTables): Promise<boolean> {
  return (await readFeedState(db, globals))?.isHealthy ?? false
}

/**
 * Takes the feed if no other process has it. Only a read if one has.
 * @param former the last owner that this process was: it may not have released the feed
 * @returns whether this process has it now
 */
export async function takeFeed(
  db: Database,
  globals: GlobalTables,
  owner: string,
  former?: string,
  row = FEED_ROW,
): Promise<boolean> {
  const state = await readFeedState(db, globals, row)
  if (state?.owner && state.owner !== former) return false
  return writeFeed(db, async (tx) => {
    await tx.sql.raw('INSERT IGNORE INTO ?? (id, due_at) VALUES (?, NOW(6))', [
      feedTable(globals),
      row,
    ])
    const [{ affectedRows }] = await tx.sql.raw(
      `UPDATE ?? SET owner = ?, due_at = ${LEASE_END}, lag_ms = NULL
        WHERE id = ? AND (owner = ? OR NOT (${IS_IN_FORCE}))`,
      [feedTable(globals), owner, row, former ?? ''],
    )
    return affectedRows === 1
  })
}

/** What a renewal of the feed stores. */
export type FeedRenewal = {
  /** A number that increases with each renewal. The feed delivers it back. */
  readonly beat: number
  readonly lagMs: number | undefined
  /** Undefined leaves the stored position. */
  readonly position: FeedPosition | undefined
}

/**
 * Renews the lease. It always changes the row, so it is always a transaction of the binlog: when it returns, all transactions before it in the
 * binlog are visible to reads that start afterwards.
 * @returns false if another process has taken the feed
 */
export function renewFeed(
  db: Database,
  globals: GlobalTables,
  owner: string,
  { beat, lagMs, position }: FeedRenewal,
  row = FEED_ROW,
): Promise<boolean> {
  return writeFeed(db, async (tx) => {
    const [{ affectedRows }] = await tx.sql.raw(
      `UPDATE ?? SET beat = ?, due_at = ${LEASE_END}, lag_ms = ?,
        server = IFNULL(?, server), position = IFNULL(?, position) WHERE id = ? AND owner = ?`,
      [
        feedTable(globals),
        beat,
        lagMs === undefined ? null : Math.round(lagMs),
        position?.server ?? null,
        position?.position ?? null,
        row,
        owner,
      ],
    )
    return affectedRows === 1
  })
}

/** What a process stores when it gives the feed up. */
export type FeedRelease = {
  /** Undefined leaves the stored position. Null: everything must be compared, from the then current position on. */
  readonly position: FeedPosition | null | undefined
  /** Why the feed failed. */
  readonly error?: string | undefined
}

/** Gives the feed up, so that any process may take it at once. Does nothing if another process has it. */
export async function releaseFeed(
  db: Database,
  globals: GlobalTables,
  owner: string,
  { position, error }: FeedRelease,
  row = FEED_ROW,
): Promise<void> {
  const now = db.sql.raw('NOW(6)')
  await writeFeed(db, async (tx) => {
    await tx
      .sql(feedTable(globals))
      .where({ id: row, owner })
      .update({
        owner: null,
        due_at: now,
        lag_ms: null,
        ...(position === null ? { position: null } : position),
        ...(error === undefined ? {} : { error: error.slice(0, MAX_ERROR_LENGTH), error_at: now }),
      })
  })
}

/** One statement without a transaction around it, in the queue of the workers. */
function writeFeed<T>(db: Database, write: (tx: Tx) => Promise<T>): Promise<T> {
  return db.write({ isWork: true, isStatement: true }, write)
}
