import { isStatementTimeout } from '../db/database-error.ts'
import type { Held } from '../db/tasks/hold-task.ts'
import type { Task, TaskRest } from '../db/tasks/task-runner.ts'
import { pause } from '../host/concurrency/background-loop.ts'
import { ALL_ROWS } from './changed-rows.ts'
import { type RecordAllOptions, recordAllEdits, recordEditsOfSite } from './record-all-edits.ts'
import type { UnreadableSites } from './unreadable-sites.ts'

export type ChangePollerOptions = RecordAllOptions & {
  readonly unreadable: UnreadableSites
  /** Time from the begin of one round through all sites to that of the next one, in milliseconds. */
  readonly intervalMs: number
  /** Whether the feed reports edits at present, so that the poll is only a safety net [never]. */
  readonly isFeedHealthy?: () => Promise<boolean>
}

/** A round that takes longer than the interval is followed by a pause of this part of the interval. */
const MIN_REST = 0.25

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
    const slow = new Map(this.#slow)
    const reasons = await recordAllEdits(this.#options, {
      except: new Set(slow.keys()),
      onUnreadable: (blogId, reason) => {
        if (isStatementTimeout(reason)) this.#startSlow(blogId, reason, signal)
      },
      signal,
    })
    this.#options.unreadable.update(new Map([...slow, ...reasons]))
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
      const reason = await recordEditsOfSite(this.#options, blogId, ALL_ROWS).catch(
        (error) => error,
      )
      if (reason === undefined) return
      this.#slow.set(blogId, reason)
      await pause(this.#options.intervalMs, signal)
    }
  }
}
