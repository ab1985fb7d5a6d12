import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { IS_TASK_DUE, latestTimes, tasksTable } from '../../db/tasks/tasks-table.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** The task that follows the binlog. Its state is a `StoredFeed`. */
export const FEED = 'feed'

/** What is stored of the feed. */
export type StoredFeed = {
  /** Identifies the server that the position belongs to, see `readFeedServer`. */
  readonly server?: string | undefined
  /** Up to where changes are recorded: a GTID set (MySQL) or position (MariaDB). */
  readonly position?: string | undefined
  /** Of the last renewal: the owner of the task, its session, and a number that increases. The feed delivers it back. */
  readonly beat?: string | undefined
  /** At the last renewal: how long changes take to arrive, in milliseconds. */
  readonly lagMs?: number | undefined
  /** When it failed last, by the clock of the process. */
  readonly failedAt?: string | undefined
}

export const parseFeed = (state: string | null): StoredFeed => JSON.parse(state ?? '{}')

/** What identifies the renewals of a session, before their numbers. A process may have several sessions as the same owner. */
export const beatsOf = (owner: string, session: string): string => `${owner}-${session}:`

/** The feed as all processes see it. */
export type FeedState = {
  /** The process that has the feed; null if none has a lease in force. */
  readonly owner: string | null
  /** Whether the feed reports changes in time: the poll may slow down. */
  readonly isHealthy: boolean
  /** How long changes take to arrive, in milliseconds; null before the first one has arrived. */
  readonly lagMs: number | null
  /** Why the feed failed last, and how many seconds ago. */
  readonly error: { readonly message: string; readonly secondsAgo: number } | undefined
}

type FeedRow = {
  readonly owner: string | null
  readonly is_due: number
  readonly error: string | null
  readonly state: string | null
}

/** Reads the state of the feed; undefined if no process has ever started one. One statement. */
export async function readFeedState(db: Db, globals: GlobalTables): Promise<FeedState | undefined> {
  const [row] = await readRows<FeedRow>(
    db,
    `SELECT owner, ${IS_TASK_DUE} AS is_due, error, state FROM :tasks: WHERE name = :name`,
    { tasks: tasksTable(globals), name: FEED, ...latestTimes(db) },
  )
  if (!row) return undefined
  const stored = parseFeed(row.state)
  const owner = Number(row.is_due) === 0 ? row.owner : null
  // The last renewal may be that of a former owner.
  const isOwn = owner !== null && stored.beat?.startsWith(`${owner}-`)
  const lagMs = (isOwn ? stored.lagMs : undefined) ?? null
  const failedAt = stored.failedAt === undefined ? Date.now() : Date.parse(stored.failedAt)
  return {
    owner,
    isHealthy: lagMs !== null && lagMs <= db.timings.feed.healthyLagMs,
    lagMs,
    error:
      row.error === null
        ? undefined
        : { message: row.error, secondsAgo: Math.round((Date.now() - failedAt) / 1000) },
  }
}

/** Whether the feed reports changes, so that the poll may slow down. */
export async function isFeedHealthy(db: Db, globals: GlobalTables): Promise<boolean> {
  return (await readFeedState(db, globals))?.isHealthy ?? false
}
