import { pause } from '../concurrency/background-loop.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { Database } from '../db/database.ts'
import { isStatementTimeout } from '../db/database-error.ts'
import { isOutage } from '../db/is-outage.ts'
import type { Held } from '../tasks/hold-task.ts'
import type { Task, TaskRest } from '../tasks/task-runner.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { ALL_ROWS } from './changed-rows.ts'
import { type EditedSites, findEditedSites } from './find-edited-sites.ts'
import { recordEdits } from './record-edits.ts'
import type { UnreadableSites } from './unreadable-sites.ts'

export type ChangePollerOptions = {
  readonly db: Database
  readonly globals: GlobalTables
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

/** Polls all sites for edits that bypassed this service, and records the work that follows from them. */
export class ChangePoller implements Task {
  readonly name = 'poll'
  readonly failure = 'polling for edits in WordPress failed'
  readonly pauseMs: number
  readonly maxPauseMs: number
  readonly #options: ChangePollerOptions
  /** Sites that are compared beside the rounds, because they take long, with the last error of each, by blog id. */
  readonly #slow = new Map<number, unknown>()
  readonly #slowComparisons = new Set<Promise<void>>()

  constructor(options: ChangePollerOptions) {
    this.#options = options
    this.pauseMs = options.intervalMs
    this.maxPauseMs = options.intervalMs
  }

  /** Begins with a round at once, and polls until the process stops: so it knows which sites are slow. */
  async run(_: Held, signal: AbortSignal): Promise<TaskRest> {
    const ended = new AbortController()
    const anyEnd = AbortSignal.any([signal, ended.signal])
    try {
      while (!signal.aborted) {
        const since = performance.now()
        await this.#round(anyEnd)
        await this.#rest(since, signal)
      }
      return { dueInMs: 0 }
    } finally {
      ended.abort()
      await Promise.all(this.#slowComparisons)
      this.#options.unreadable.forget()
    }
  }

  /**
   * Waits until the next round is due, and for the feed to fail, if there is one.
   * @param since when the last round began: a long round does not make the interval longer
   */
  async #rest(since: number, signal: AbortSignal): Promise<void> {
    const { db, intervalMs, isFeedHealthy } = this.#options
    const { intervalWithFeedMs, feedCheckMs } = db.timings.poller
    if (!isFeedHealthy)
      return pause(Math.max(since + intervalMs - performance.now(), intervalMs * MIN_REST), signal)
    const hasPassed = (ms: number) => performance.now() - since >= ms
    while (!signal.aborted && !hasPassed(intervalWithFeedMs)) {
      await pause(Math.min(intervalMs, feedCheckMs), signal)
      if (hasPassed(intervalMs) && !(await isFeedHealthy().catch(() => false))) return
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { db, globals, unreadable } = this.#options
    const reasons = new Map(this.#slow)
    let recording = Promise.resolve()
    for await (const found of findEditedSites(db, globals, new Set(this.#slow.keys()))) {
      for (const [blogId, reason] of found.unreadable) {
        reasons.set(blogId, reason)
        if (isStatementTimeout(reason)) this.#startSlow(blogId, reason, signal)
      }
      // The next part of the sites is read meanwhile.
      recording = recording.then(() => this.#recordAll(found.edited, reasons, signal))
      recording.catch(() => {})
    }
    await recording
    unreadable.update(reasons)
  }

  /** @param reasons receives why sites could not be compared */
  async #recordAll(
    edited: EditedSites['edited'],
    reasons: Map<number, unknown>,
    signal: AbortSignal,
  ): Promise<void> {
    await forEachBounded(edited, SITES_AT_ONCE, async ({ blogId, checksum }) => {
      if (signal.aborted) return
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
  #startSlow(blogId: number, reason: unknown, signal: AbortSignal): void {
    this.#slow.set(blogId, reason)
    const comparison = this.#compareSlowly(blogId, signal).finally(() => {
      this.#slow.delete(blogId)
      this.#slowComparisons.delete(comparison)
    })
    this.#slowComparisons.add(comparison)
  }

  async #compareSlowly(blogId: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const reason = await this.#record(blogId).catch((error) => error)
      if (reason === undefined) return
      this.#slow.set(blogId, reason)
      await pause(this.#options.intervalMs, signal)
    }
  }
}
