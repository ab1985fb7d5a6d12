import { type Database, openDatabase } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Held } from '../../db/tasks/hold-task.ts'
import { type Task, TaskFailure, type TaskRest } from '../../db/tasks/task-runner.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import type { OnChanges } from '../changed-rows.ts'
import { describeFailure } from './feed-failure.ts'
import { type FeedServer, readFeedServer } from './feed-server.ts'
import { FeedSession } from './feed-session.ts'
import { FEED, parseFeed, type StoredFeed } from './feed-state.ts'
import { networkTables } from './network-tables.ts'

export type ChangeFeedOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  /** An account with the privilege REPLICATION SLAVE on the server of `db`. */
  readonly feedUrl: string
  readonly log: Log
  readonly metrics?: Metrics | undefined
  readonly onChanges: OnChanges
}

/**
 * Follows the binlog of the database, and reports which rows of which sites may have changed. After a failure it continues at the position up to which
 * the changes were recorded. If that position is not in the binlog any more, it reports once that everything may have changed.
 */
export class ChangeFeed implements Task {
  readonly name = FEED
  readonly failure = 'the change feed failed; polling continues'
  readonly #options: ChangeFeedOptions
  #session: FeedSession | undefined

  constructor(options: ChangeFeedOptions) {
    this.#options = options
    const read = () => ({ lagMs: this.#session?.lagMs })
    options.metrics?.gauges(read, {
      feed_up: ({ lagMs }) => Number(lagMs !== undefined),
      feed_lag_seconds: ({ lagMs = 0 }) => lagMs / 1000,
    })
  }

  /** Follows the feed until the process stops. */
  async run(held: Held, signal: AbortSignal): Promise<TaskRest> {
    let stored = parseFeed(held.state)
    try {
      await this.#follow(held, stored, signal)
      stored = this.#session?.stored ?? stored
      return { dueInMs: 0, state: textOf(stored) }
    } catch (error) {
      const { message, next } = describeFailure(error)
      const known = next === 'everything' ? {} : (this.#session?.stored ?? stored)
      const state = textOf({ ...known, failedAt: new Date().toISOString() })
      const { permanentPauseMs: pauseMs } = this.#options.db.timings.feed
      const pause = next === 'operator' ? { pauseMs } : {}
      throw new TaskFailure(message, { cause: error, state, ...pause })
    } finally {
      this.#session = undefined
    }
  }

  async #follow(held: Held, stored: StoredFeed, signal: AbortSignal): Promise<void> {
    const { db, globals, metrics, log } = this.#options
    const server = await this.#readServer()
    const [database] = await readRows<{ name: string }>(db, 'SELECT DATABASE() AS name', {})
    const position = stored.server === server.identity ? stored.position : undefined
    const comparesEverything = position === undefined
    const session = new FeedSession({
      ...this.#options,
      held,
      stored,
      network: { database: database?.name ?? '', findTable: networkTables(globals) },
      server,
      position,
    })
    if (comparesEverything) metrics?.count('feed_resnapshots_total', {})
    if (held.tries > 0) metrics?.count('feed_reconnects_total', {})
    log.info({ comparesEverything }, 'following the change feed')
    this.#session = session
    await session.run(signal)
  }

  async #readServer(): Promise<FeedServer> {
    const { db, feedUrl, log } = this.#options
    const feedDb = openDatabase({ url: feedUrl, poolSize: 1, log, timings: db.timings })
    try {
      return await readFeedServer(feedDb)
    } finally {
      await feedDb.close()
    }
  }
}

/** Without a position, everything is compared. */
const textOf = ({ server, position, failedAt }: StoredFeed): string =>
  JSON.stringify({ server, position, failedAt })
