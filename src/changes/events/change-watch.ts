import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../host/log.ts'
import { numberChanges } from '../../record/history/number-changes.ts'
import { listChangedSites } from '../../record/history/read-changes.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { type ReadEvents, type ReadOptions, readEvents } from './read-events.ts'

export type ChangeWatchOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
}

type Waiter = {
  /** Undefined for all sites. */
  readonly blogId: number | undefined
  readonly wake: () => void
}

/** Reads events, and waits for new ones: one statement for all who wait in this process, four times a second, and none if nobody does. */
export class ChangeWatch {
  readonly #options: ChangeWatchOptions
  readonly #waiters = new Set<Waiter>()
  readonly #closed = new AbortController()
  /** The last number that was looked at. */
  #last = 0
  #isLooking = false
  /** A look at the database is under way. */
  #isReading = false
  #numbering: Promise<unknown> = Promise.resolve()
  #nextNumbering: Promise<number> | undefined

  constructor(options: ChangeWatchOptions) {
    this.#options = options
  }

  /** See `readEvents`. */
  read(
    blogId: number | undefined,
    since: string | undefined,
    options?: ReadOptions,
  ): Promise<ReadEvents> {
    const { db, globals } = this.#options
    return readEvents({ db, globals, blogId, number: () => this.number() }, since, options)
  }

  /** See `numberChanges`. Those who call it at the same time share the work. */
  number(): Promise<number> {
    // The work in progress may have looked before the last commit, so the next one is for this call.
    this.#nextNumbering ??= this.#numbering.then(() => {
      const { db, globals } = this.#options
      this.#nextNumbering = undefined
      const numbering = numberChanges(db, globals)
      this.#numbering = numbering.catch(() => {})
      return numbering
    })
    return this.#nextNumbering
  }

  /**
   * Reads events like `read`. If there are none, it waits for the first one.
   * @param ms how long it waits; it ends earlier with the signal
   */
  async readOrWait(
    blogId: number | undefined,
    since: string | undefined,
    {
      limit,
      ms,
      signal,
    }: {
      readonly limit?: number | undefined
      readonly ms: number
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<ReadEvents> {
    const end = performance.now() + ms
    for (let from = since; ; ) {
      const found = await this.read(blogId, from, { limit })
      const restMs = end - performance.now()
      const isOver = restMs <= 0 || signal?.aborted || this.#closed.signal.aborted
      if (found.events.length > 0 || found.more || isOver) return found
      await this.waitForChange(blogId, found.last, restMs, signal)
      from = found.cursor
    }
  }

  /**
   * Waits until a change was committed.
   * @param blogId the site of the change; undefined for any
   * @param after `last` of what was read
   * @param ms how long it waits; it ends earlier with the signal, and with `close`
   */
  async waitForChange(
    blogId: number | undefined,
    after: number,
    ms: number,
    signal?: AbortSignal,
  ): Promise<void> {
    if (this.#closed.signal.aborted || signal?.aborted) return
    // With nobody waiting, nobody has looked.
    if (this.#waiters.size === 0 && !this.#isReading) this.#last = after
    if (after < this.#last) return
    await new Promise<void>((resolve) => {
      const waiter = { blogId, wake: () => end() }
      const timer = setTimeout(() => end(), ms)
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        this.#waiters.delete(waiter)
        resolve()
      }
      signal?.addEventListener('abort', end)
      this.#waiters.add(waiter)
      void this.#look()
    })
  }

  /** Is aborted when all waits end, because the process does. */
  get closing(): AbortSignal {
    return this.#closed.signal
  }

  /** Ends all waits. */
  close(): void {
    this.#closed.abort()
    for (const { wake } of this.#waiters) wake()
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { db, log } = this.#options
    const { lookMs, failurePauseMs } = db.timings.events
    for (let pauseMs = lookMs; this.#waiters.size > 0; ) {
      await sleep(pauseMs, undefined, { ref: false })
      try {
        this.#isReading = true
        await this.#lookOnce()
        pauseMs = lookMs
      } catch (error) {
        log.debug({ err: error }, 'could not look for changes')
        pauseMs = failurePauseMs
      } finally {
        this.#isReading = false
      }
    }
    this.#isLooking = false
  }

  async #lookOnce(): Promise<void> {
    const { db, globals } = this.#options
    const last = await this.number()
    if (last === this.#last) return
    // A smaller number is that of a restored database.
    const sites = last > this.#last ? await listChangedSites(db, globals, this.#last, last) : 'all'
    this.#last = last
    for (const { blogId, wake } of this.#waiters)
      if (blogId === undefined || sites === 'all' || sites.has(blogId)) wake()
  }
}
