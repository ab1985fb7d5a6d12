import { BackgroundLoop } from '../concurrency/background-loop.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { newOwner } from '../db/lease.ts'
import { readRows } from '../db/sql.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import type { ChangeSource, OnChanges } from './change-source.ts'
import { describeFailure, type FeedFailure } from './feed-failure.ts'
import { type FeedServer, readFeedServer } from './feed-server.ts'
import { FeedSession } from './feed-session.ts'
import { readFeedState, releaseFeed, takeFeed } from './feed-table.ts'
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
 * Follows the binlog of the database while no other process does, and reports which rows of which sites may have changed. After a failure it
 * continues at the position up to which the changes were recorded. If that position is not in the binlog any more, it reports once that
 * everything may have changed.
 */
export class ChangeFeed implements ChangeSource {
  readonly #options: ChangeFeedOptions
  #loop: BackgroundLoop | undefined
  #session: FeedSession | undefined
  /** The last owner that this process was. If the database was away, it could not release the feed. */
  #former: string | undefined
  /** Failures since the feed was last followed for a while. */
  #failures = 0

  constructor(options: ChangeFeedOptions) {
    this.#options = options
  }

  start(): void {
    this.#loop ??= new BackgroundLoop((signal) => this.#followOnce(signal))
    this.#options.metrics?.observeFeed(() => ({
      isUp: this.#session?.lagMs !== undefined,
      lagSeconds: (this.#session?.lagMs ?? 0) / 1000,
    }))
  }

  /** Gives the feed up. */
  async stop(): Promise<void> {
    await this.#loop?.stop()
  }

  /** Follows the feed if no other process does. @returns the pause until the next try, in milliseconds */
  async #followOnce(signal: AbortSignal): Promise<number> {
    const { db, globals } = this.#options
    const owner = newOwner()
    let failure: FeedFailure | undefined
    const begin = performance.now()
    try {
      if (!(await takeFeed(db, globals, owner, this.#former))) return db.timings.feed.lookMs
      this.#former = owner
      await this.#follow(owner, signal)
      return db.timings.feed.lookMs
    } catch (error) {
      if (performance.now() - begin > db.timings.feed.permanentPauseMs) this.#failures = 0
      failure = describeFailure(error)
      return this.#report(error, failure)
    } finally {
      await this.#release(owner, failure)
    }
  }

  async #follow(owner: string, signal: AbortSignal): Promise<void> {
    const { db, globals, metrics, log } = this.#options
    const server = await this.#readServer()
    const [database] = await readRows<{ name: string }>(db, 'SELECT DATABASE() AS name', {})
    const stored = (await readFeedState(db, globals))?.position
    const isKnown = stored?.server === server.identity
    const session = new FeedSession({
      ...this.#options,
      owner,
      network: { database: database?.name ?? '', findTable: networkTables(globals) },
      start: isKnown ? stored : { server: server.identity, position: server.position },
      comparesEverything: !isKnown,
    })
    if (!isKnown) metrics?.countFeedResnapshot()
    if (this.#failures > 0) metrics?.countFeedReconnect()
    log.info({ comparesEverything: !isKnown }, 'following the change feed')
    this.#session = session
    await session.run(signal)
  }

  /** If it fails, this process takes the feed again, or the lease ends by itself. */
  async #release(owner: string, failure: FeedFailure | undefined): Promise<void> {
    const { db, globals, log } = this.#options
    const position = failure?.isPositionLost ? null : this.#session?.recorded
    this.#session = undefined
    await releaseFeed(db, globals, owner, { position, error: failure?.message }).catch((error) =>
      log.debug({ err: error }, 'the change feed was not released'),
    )
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

  /** Logs a failure, repeated ones at the level `debug`. @returns the pause until the next try, in milliseconds */
  #report(error: unknown, { message, isPermanent, isPositionLost }: FeedFailure): number {
    const { db, log } = this.#options
    const { pauseMs, maxPauseMs, permanentPauseMs } = db.timings.feed
    this.#failures += 1
    const level = this.#failures === 1 || isPositionLost ? 'warn' : 'debug'
    log[level]({ err: error }, `the change feed failed; polling continues: ${message}`)
    if (isPermanent) return permanentPauseMs
    return Math.min(pauseMs * 2 ** (this.#failures - 1), maxPauseMs)
  }
}
