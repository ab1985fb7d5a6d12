import { BackgroundLoop, pause } from '../concurrency/background-loop.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { Database } from '../db/database.ts'
import { isStatementTimeout } from '../db/database-error.ts'
import { isOutage } from '../db/is-outage.ts'
import {
  keepRenewing,
  type Lease,
  newOwner,
  type Renewal,
  releaseLease,
  renewLease,
} from '../db/lease.ts'
import { type EditedSites, findEditedSites } from '../edits/find-edited-sites.ts'
import { recordEdits } from '../edits/record-edits.ts'
import type { UnreadableSites } from '../edits/unreadable-sites.ts'
import { feedLease, POLL_ROW, takeFeed } from '../feed/feed-table.ts'
import type { Log } from '../log.ts'
import { ALL_ROWS } from '../seen/changed-rows.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

export type ChangePollerOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  /** Starts the recorded work of a site. */
  readonly wake: (blogId: number) => void
  readonly unreadable: UnreadableSites
  /** Time from the begin of one round through all sites to that of the next one, in milliseconds. */
  readonly intervalMs: number
  /** Whether the feed reports edits at present, so that the poll is only a safety net [never]. */
  readonly isFeedHealthy?: () => Promise<boolean>
}

/** A round that takes longer than the interval is followed by a pause of this part of the interval. */
const MIN_REST = 0.25
/** Sites compared at the same time, so that a large one does not delay the others. */
const SITES_AT_ONCE = 2

/**
 * Polls all sites for edits that bypassed this service, and records the work that follows from them. Of all processes on a database one does
 * so: it has a lease, as for the feed.
 */
export class ChangePoller {
  readonly #options: ChangePollerOptions
  readonly #loop: BackgroundLoop
  /** Sites that are compared beside the rounds, because they take long, with the last error of each, by blog id. */
  readonly #slow = new Map<number, unknown>()
  readonly #slowComparisons = new Set<Promise<void>>()
  readonly #lease: Lease
  /** While this process polls for all: renews its lease. */
  #renewal: Renewal | undefined

  /** Starts the first round at once, if no other process polls. */
  constructor(options: ChangePollerOptions) {
    this.#options = options
    this.#lease = feedLease(options, newOwner(), POLL_ROW)
    this.#loop = new BackgroundLoop((signal) => this.#poll(signal))
  }

  /** Stops polling. Resolves when the check in progress has finished. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await Promise.all(this.#slowComparisons)
    await this.#release()
  }

  async #poll(signal: AbortSignal): Promise<number> {
    const since = performance.now()
    try {
      if (await this.#isOwner()) await this.#round()
    } catch (error) {
      this.#warn(error)
    }
    return this.#renewal ? this.#restOf(since, signal) : this.#options.db.timings.poller.lookMs
  }

  /** Whether this process polls: it does already, or no other one does. */
  async #isOwner(): Promise<boolean> {
    const { db, globals } = this.#options
    if (this.#renewal) return true
    const { owner } = this.#lease
    if (!(await takeFeed(db, globals, owner, owner, POLL_ROW))) return false
    this.#renewal = keepRenewing(this.#lease.lengthMs, () => this.#renew())
    return true
  }

  async #renew(): Promise<boolean> {
    const { db, unreadable } = this.#options
    if (await renewLease(db, this.#lease)) return true
    // This process was suspended, and another one has taken over.
    this.#renewal = undefined
    unreadable.forget()
    return false
  }

  /** Another process may continue at once. If it fails, the lease ends by itself. */
  async #release(): Promise<void> {
    if (!this.#renewal) return
    await this.#renewal.stop()
    await releaseLease(this.#options.db, this.#lease).catch(() => {})
  }

  /**
   * Waits for the feed to fail, if there is one.
   * @param since when the last round began: a long round does not make the interval longer
   * @returns the pause until the next round, in milliseconds
   */
  async #restOf(since: number, signal: AbortSignal): Promise<number> {
    const { db, intervalMs, isFeedHealthy } = this.#options
    const { intervalWithFeedMs, feedCheckMs } = db.timings.poller
    const rest = Math.max(since + intervalMs - performance.now(), intervalMs * MIN_REST)
    if (!isFeedHealthy) return rest
    const hasPassed = (ms: number) => performance.now() - since >= ms
    while (!signal.aborted && !hasPassed(intervalWithFeedMs)) {
      await pause(Math.min(intervalMs, feedCheckMs), signal)
      if (hasPassed(intervalMs) && !(await isFeedHealthy().catch(() => false))) return 0
    }
    return 0
  }

  async #round(): Promise<void> {
    const { db, globals, unreadable } = this.#options
    const reasons = new Map(this.#slow)
    let recording = Promise.resolve()
    for await (const found of findEditedSites(db, globals, new Set(this.#slow.keys()))) {
      for (const [blogId, reason] of found.unreadable) {
        reasons.set(blogId, reason)
        if (isStatementTimeout(reason)) this.#startSlow(blogId, reason)
      }
      // The next part of the sites is read meanwhile.
      recording = recording.then(() => this.#recordAll(found.edited, reasons))
      recording.catch(() => {})
    }
    await recording
    unreadable.update(reasons)
  }

  /** @param reasons receives why sites could not be compared */
  async #recordAll(edited: EditedSites['edited'], reasons: Map<number, unknown>): Promise<void> {
    await forEachBounded(edited, SITES_AT_ONCE, async ({ blogId, checksum }) => {
      if (this.#loop.signal.aborted) return
      const reason = await this.#record(blogId, checksum)
      if (reason !== undefined) reasons.set(blogId, reason)
    })
  }

  /**
   * Records the edits of a site.
   * @returns why it failed; undefined if it did not
   * @throws if the database is unavailable
   */
  async #record(blogId: number, checksum?: string): Promise<unknown> {
    const { db, globals, wake } = this.#options
    try {
      if (await recordEdits({ db, globals }, blogId, ALL_ROWS, checksum)) wake(blogId)
      return undefined
    } catch (error) {
      if (await isOutage(db, error)) throw error
      return error
    }
  }

  /** Compares a site that is locked, or that takes long, without delaying the rounds. They compare it again when that has succeeded. */
  #startSlow(blogId: number, reason: unknown): void {
    this.#slow.set(blogId, reason)
    const comparison = this.#compareSlowly(blogId).finally(() => {
      this.#slow.delete(blogId)
      this.#slowComparisons.delete(comparison)
    })
    this.#slowComparisons.add(comparison)
  }

  async #compareSlowly(blogId: number): Promise<void> {
    const { signal } = this.#loop
    while (!signal.aborted) {
      const reason = await this.#record(blogId).catch((error) => error)
      if (reason === undefined) return
      this.#slow.set(blogId, reason)
      await pause(this.#options.intervalMs, signal)
    }
  }

  #warn(error: unknown): void {
    this.#options.log.warn({ err: error }, 'polling for edits in WordPress failed')
  }
}
