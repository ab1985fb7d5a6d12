import type { Database, Db } from '../db/database.ts'
import {
  IS_DUE,
  type Lease,
  latestLease,
  RELEASED,
  releaseLease,
  renewLease,
  takeLease,
} from '../db/lease.ts'
import { readRows } from '../db/sql.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

/** The table of the change feed and of the poll: a row for each. */
export const feedTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_feed`

/**
 * The id of the row of the feed, and of that of the poll, which uses its owner and its lease only: one process at a time polls for all others.
 */
const FEED_ROW = 1
export const POLL_ROW = 2

const MAX_ERROR_LENGTH = 500

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
  readonly is_due: number
  readonly lag_ms: number | null
  readonly server: string | null
  readonly position: string | null
  readonly error: string | null
  readonly error_seconds: number | null
}

/** Reads the state of the feed; undefined if no process has ever started one. One statement. */
export async function readFeedState(
  db: Db,
  globals: GlobalTables,
  row = FEED_ROW,
): Promise<FeedState | undefined> {
  const [found] = await readRows<FeedRow>(
    db,
    `SELECT owner, ${IS_DUE} AS is_due, lag_ms, server, position, error,
      TIMESTAMPDIFF(SECOND, error_at, NOW(6)) AS error_seconds FROM :feed: WHERE id = :row`,
    { feed: feedTable(globals), row, latest: latestLease(db) },
  )
  if (!found) return undefined
  const { server, position, error, lag_ms: lagMs } = found
  const isInForce = Number(found.is_due) === 0
  return {
    owner: isInForce ? found.owner : null,
    isHealthy: isInForce && lagMs !== null && lagMs <= db.timings.feed.healthyLagMs,
    lagMs: isInForce ? lagMs : null,
    position: server === null || position === null ? undefined : { server, position },
    error: error === null ? undefined : { message: error, secondsAgo: found.error_seconds ?? 0 },
  }
}

/** Whether the feed reports changes, so that the poll may slow down. */
export async function isFeedHealthy(db: Db, globals: GlobalTables): Promise<boolean> {
  return (await readFeedState(db, globals))?.isHealthy ?? false
}

/** The right to follow the feed, or to poll. */
export const feedLease = (
  { db, globals }: { readonly db: Db; readonly globals: GlobalTables },
  owner: string,
  row = FEED_ROW,
): Lease => ({
  table: feedTable(globals),
  row: { id: row },
  owner,
  lengthMs: db.timings.feed.leaseMs,
})

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
  if (!state) await addRow(db, globals, row)
  return takeLease(db, feedLease({ db, globals }, owner, row), {
    former,
    columns: { lag_ms: null },
  })
}

async function addRow(db: Database, globals: GlobalTables, row: number): Promise<void> {
  await db.write({ isWork: true, isStatement: true }, async (tx) => {
    await tx
      .sql(feedTable(globals))
      .insert({ id: row, ...RELEASED })
      .onConflict()
      .ignore()
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
): Promise<boolean> {
  return renewLease(db, feedLease({ db, globals }, owner), {
    ...position,
    beat,
    lag_ms: lagMs === undefined ? null : Math.round(lagMs),
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
): Promise<void> {
  await releaseLease(db, feedLease({ db, globals }, owner), {
    lag_ms: null,
    ...(position === null ? { position: null } : position),
    ...(error === undefined
      ? {}
      : { error: error.slice(0, MAX_ERROR_LENGTH), error_at: db.sql.raw('NOW(6)') }),
  })
}
