import { setTimeout as sleep } from 'node:timers/promises'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { Database } from '../db/database.ts'
import { findEditedSites } from '../edits/find-edited-sites.ts'
import { recordEdits } from '../edits/record-edits.ts'
import type { Log } from '../log.ts'
import { ALL_ROWS } from '../wordpress/changed-rows.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

export type ChangePollerOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  /** Starts the recorded work of a site. */
  readonly wake: (blogId: number) => void
  /** Time from the begin of one round through all sites to that of the next one, in milliseconds. */
  readonly intervalMs: number
  /** Whether the feed reports edits at present, so that the poll is only a safety net [never]. */
  readonly isFeedHealthy?: () => Promise<boolean>
}

/** A round that takes longer than the interval is followed by a pause of this part of the interval. */
const MIN_REST = 0.25
/** Pause between two rounds while the feed reports edits, in milliseconds. */
const INTERVAL_WITH_FEED_MS = 600_000
/** Sites compared at the same time, so that a large one does not delay the others. */
const SITES_AT_ONCE = 2
/** While a round is not due, the state of the feed is read this often, in milliseconds. */
const FEED_CHECK_MS = 2000

/** Polls all sites for edits that bypassed this service, and records the work that follows from them. */
export class ChangePoller {
  readonly #options: ChangePollerOptions
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>

  /** Starts the first round at once. */
  constructor(options: ChangePollerOptions) {
    this.#options = options
    this.#running = this.#poll()
  }

  /** Stops polling. Resolves when the check in progress has finished. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      const since = performance.now()
      await this.#round().catch((error) => this.#warn(error))
      await this.#pause(since)
    }
  }

  /** @param since when the last round began: a long round does not make the interval longer */
  async #pause(since: number): Promise<void> {
    const { intervalMs, isFeedHealthy } = this.#options
    const { signal } = this.#stopped
    const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
    const rest = Math.max(since + intervalMs - performance.now(), intervalMs * MIN_REST)
    if (!isFeedHealthy) return pause(rest)
    const hasPassed = (ms: number) => performance.now() - since >= ms
    while (!signal.aborted && !hasPassed(INTERVAL_WITH_FEED_MS)) {
      await pause(Math.min(intervalMs, FEED_CHECK_MS))
      if (hasPassed(intervalMs) && !(await isFeedHealthy().catch(() => false))) return
    }
  }

  async #round(): Promise<void> {
    const { db, globals } = this.#options
    const edited = await findEditedSites(db, globals)
    await forEachBounded(edited, SITES_AT_ONCE, async ({ blogId, checksum }) => {
      if (this.#stopped.signal.aborted) return
      try {
        if (await recordEdits({ db, globals }, blogId, ALL_ROWS, checksum))
          this.#options.wake(blogId)
      } catch (error) {
        this.#warn(error, blogId)
      }
    })
  }

  #warn(error: unknown, site?: number): void {
    this.#options.log.warn({ err: error, site }, 'polling for edits in WordPress failed')
  }
}
