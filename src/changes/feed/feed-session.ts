import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { newOwner } from '../../db/lease.ts'
import type { Held } from '../../db/tasks/hold-task.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import type { Timings } from '../../host/timings.ts'
import { inSpan } from '../../host/trace.ts'
import type { OnChanges } from '../changed-rows.ts'
import { BinlogStream } from './binlog-stream.ts'
import { changeListener, type FollowedNetwork } from './change-listener.ts'
import { ChangedSites } from './changed-sites.ts'
import { StreamError } from './feed-failure.ts'
import { FeedLag } from './feed-lag.ts'
import type { FeedServer } from './feed-server.ts'
import { beatsOf, type StoredFeed } from './feed-state.ts'

export type FeedSessionOptions = {
  readonly db: Database
  readonly log: Log
  readonly metrics?: Metrics | undefined
  /** See `ChangeFeedOptions`. */
  readonly onChanges: OnChanges
  readonly feedUrl: string
  readonly held: Held
  /** What earlier sessions have stored. */
  readonly stored: StoredFeed
  readonly network: FollowedNetwork
  readonly server: FeedServer
  /** Up to where changes are recorded; undefined if that is not known, and everything is compared. */
  readonly position: string | undefined
}

/**
 * The time in which a process has the feed: from taking it until the stream fails or another process takes it.
 *
 * An event can arrive before its row is visible to other connections: the server sends it when the binlog is written, and makes the
 * transaction visible afterwards. In between is a disk sync or, with semi-synchronous replication, a network round trip. So changes are never
 * compared when their events arrive. First the session renews its lease, which is a transaction of its own. Transactions become visible in
 * the order of the binlog. So when the renewal returns, a read that starts afterwards sees the changes. This needs no privilege, and no
 * positions are compared.
 */
export class FeedSession {
  readonly #options: FeedSessionOptions
  readonly #changes = new ChangedSites()
  readonly #stream: BinlogStream
  readonly #lag = new FeedLag()
  #recorded: Pick<StoredFeed, 'server' | 'position'> = {}
  #isRecording = false
  /** Whether changes wait to be recorded. */
  #isDue = false
  /** When the oldest change that is not recorded arrived. */
  #dueSince: number | undefined
  #wake: () => void = () => {}
  readonly #beats: string
  #beat = 0
  /** Whether a warning was logged. */
  #isBehind = false

  get #timings(): Timings['feed'] {
    return this.#options.db.timings.feed
  }

  /** Connects at once. */
  constructor(options: FeedSessionOptions) {
    this.#options = options
    this.#beats = beatsOf(options.held.owner, newOwner())
    const { db, feedUrl, server, position } = options
    if (position === undefined) {
      this.#changes.addEverything()
      this.#recordSoon()
    }
    const listener = changeListener({
      ...options,
      beats: this.#beats,
      changes: this.#changes,
      onBeat: (beat) => this.#lag.see(beat),
      onEvent: () => options.metrics?.count('feed_events_total', {}),
      onCommit: () => this.#recordSoon(),
    })
    this.#stream = new BinlogStream({
      url: feedUrl,
      position: position ?? server.position,
      listener,
      timings: db.timings,
    })
  }

  /** Milliseconds that changes need to arrive and to be recorded; undefined before the first one arrived. */
  get lagMs(): number | undefined {
    const since = this.#dueSince
    if (this.#lag.ms === undefined || since === undefined) return this.#lag.ms
    return Math.max(this.#lag.ms, performance.now() - since)
  }

  /** What is known when the session ends: the position up to which all changes are recorded, or that of earlier sessions. */
  get stored(): StoredFeed {
    return { ...this.#options.stored, ...this.#recorded }
  }

  /**
   * Follows the feed until `signal`. Then completes the changes that are being recorded.
   * @throws StreamError if the stream failed
   */
  async run(signal: AbortSignal): Promise<void> {
    const { held } = this.#options
    held.renewBy(() => this.#renew())
    // At once: the feed counts as healthy when a renewal has come back through it.
    const renewal = this.#renew().catch(() => {})
    const ended = new AbortController()
    const anyEnd = AbortSignal.any([signal, ended.signal])
    anyEnd.addEventListener('abort', () => this.#wake())
    const recording = this.#keepRecording(anyEnd)
    try {
      const error = await Promise.race([this.#stream.ended, recording])
      if (error) throw new StreamError('the stream of the change feed failed', { cause: error })
    } finally {
      ended.abort()
      this.#stream.stop()
      held.renewBy(() => held.renew())
      await Promise.all([recording, renewal])
    }
  }

  /**
   * Renews the lease. It always changes the row, so it is always a transaction of the binlog: when it returns, all transactions before it in the
   * binlog are visible to reads that start afterwards.
   * @returns false if another process has the feed
   */
  async #renew(): Promise<boolean> {
    const { held } = this.#options
    if (!this.#isRecording && this.#changes.isEmpty) this.#setRecorded(this.#stream.position)
    this.#beat += 1
    const beat = this.#beat
    this.#warnIfBehind()
    const { lagMs } = this
    const state: StoredFeed = {
      ...this.stored,
      beat: this.#beats + beat,
      lagMs: lagMs === undefined ? undefined : Math.round(lagMs),
    }
    this.#lag.send(beat)
    try {
      return await held.renew({ state: JSON.stringify(state) })
    } catch (error) {
      this.#lag.cancel(beat)
      throw error
    }
  }

  #warnIfBehind(): void {
    if (this.#isBehind || this.#lag.oldestMs <= this.#timings.lagMs) return
    this.#isBehind = true
    this.#options.log.warn(
      'the change feed is far behind, or it does not carry the writes of this database; FEED_DATABASE_URL must be the server of DATABASE_URL, and its binlog must include that database',
    )
  }

  #setRecorded(position: string): void {
    this.#recorded = { server: this.#options.server.identity, position }
  }

  #recordSoon(): void {
    if (this.#changes.isEmpty) return
    this.#dueSince ??= performance.now()
    this.#isDue = true
    this.#wake()
  }

  /** Records what is due, again and again. Resolves when another process has the feed or `signal` is aborted. */
  async #keepRecording(signal: AbortSignal): Promise<void> {
    const { pauseMs, maxPauseMs } = this.#options.db.timings.tasks
    let failures = 0
    while (!signal.aborted) {
      if (!this.#isDue) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        continue
      }
      try {
        if (!(await this.#record())) return
        failures = 0
      } catch (error) {
        failures += 1
        const level = failures === 1 ? 'warn' : 'debug'
        this.#options.log[level]({ err: error }, 'recording changes of the feed failed; retrying')
        const pause = Math.min(pauseMs * 2 ** (failures - 1), maxPauseMs)
        await sleep(pause, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Records what was collected. @returns false if another process has the feed */
  async #record(): Promise<boolean> {
    this.#isRecording = true
    this.#isDue = false
    const position = this.#stream.position
    const changes = this.#changes.take()
    try {
      if (!(await this.#renew())) return false
      await inSpan('feed batch', {}, () => this.#options.onChanges(changes))
      this.#setRecorded(position)
      this.#dueSince = this.#isDue ? performance.now() : undefined
      return true
    } catch (error) {
      this.#changes.merge(changes)
      this.#isDue = true
      throw error
    } finally {
      this.#isRecording = false
    }
  }
}
