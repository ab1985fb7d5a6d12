import { listBuilders, listDueSites } from '../../content/work/due-work.ts'
import { checkWorkTables } from '../../content/work/work-tables.ts'
import { isDatabaseUnavailable } from '../../db/database-error.ts'
import { BackgroundLoop } from '../../host/concurrency/background-loop.ts'
import { withoutTrace } from '../../host/trace.ts'
import type { CopyStore } from '../publishing/copy-store.ts'
import { buildSite } from './build-site.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Sites that nobody waits for here, built at the same time. */
const SITES_AT_ONCE = 2
/** All sites built at the same time. Each has a snapshot of the database (`MAX_SNAPSHOTS`). */
const ALL_SITES_AT_ONCE = 4
/** The tables of the work are checked once in so many look-ups. */
const CHECK_EVERY = 10

/**
 * Builds all sites with work, in rotation, those with waiting clients first: a site gives way after a slice if others wait, so that a large site delays
 * them by one slice at most.
 */
export class Workers {
  readonly #options: WorkerOptions
  readonly #stopped = new AbortController()
  /** Sites with work, in the order in which they are built. */
  readonly #due = new Set<number>()
  /** Those of them that clients wait for. */
  readonly #awaited = new Set<number>()
  readonly #running = new Map<number, Promise<void>>()
  /** Who waits for the next slice of a site. */
  readonly #waiting = new Map<number, Set<(failure?: string) => void>>()
  #polling: BackgroundLoop | undefined
  /** Look-ups so far. */
  #looks = 0
  /** Builders that had left something behind at the last look-up, and had no site. */
  #leftovers: ReadonlySet<string> = new Set()

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Starts to look for work of other processes, and of processes that were killed. */
  start(): void {
    this.#polling ??= new BackgroundLoop(() => this.#poll())
  }

  /**
   * Builds a site at once instead of with the next look-up; if it is being built, once more.
   * @param isAwaited whether a client waits for it
   */
  wake(blogId: number, isAwaited = false): void {
    this.#due.add(blogId)
    if (isAwaited) this.#awaited.add(blogId)
    this.#startNext()
  }

  /**
   * Resolves after the next slice of a site in this process, with a message for clients if it failed, or when the signal is aborted. Starts to build the site
   * unless it is being built: another process may have had it before.
   */
  nextSlice(blogId: number, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(blogId) ?? new Set()
      const end = (failure?: unknown) => {
        waiting.delete(end)
        if (waiting.size === 0) this.#waiting.delete(blogId)
        signal.removeEventListener('abort', end)
        resolve(typeof failure === 'string' ? failure : undefined)
      }
      this.#waiting.set(blogId, waiting.add(end))
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
      else if (!this.#running.has(blogId)) this.wake(blogId, true)
    })
  }

  /** Resolves when the slices in progress are completed. What is left stays recorded. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#polling?.stop()
    await Promise.all(this.#running.values())
  }

  async #poll(): Promise<number> {
    const checksTables = this.#looks % CHECK_EVERY === 0
    this.#looks += 1
    await this.#lookForWork(checksTables).then(
      (isChecked) => isChecked && this.#reportTables(undefined),
      (error: unknown) => this.#reportTables(error),
    )
    return this.#options.db.timings.executor.pollMs
  }

  /** An outage of the database is logged by those who need it; other errors do not end by themselves. */
  #reportTables(error: unknown): void {
    const { log, blocked } = this.#options
    if (error !== undefined && isDatabaseUnavailable(error)) {
      log.debug({ err: error }, 'looking for work failed')
      return
    }
    const isBlocked = error !== undefined
    if (isBlocked && !blocked.isBlocked)
      log.error(
        { err: error },
        'the tables of pending work cannot be used, so nothing is built; another version may have changed them. "wp-frames doctor" compares the migrations',
      )
    if (!isBlocked && blocked.isBlocked) log.info('the tables of pending work can be used again')
    blocked.isBlocked = isBlocked
  }

  /** @returns whether the tables were checked */
  async #lookForWork(checksTables: boolean): Promise<boolean> {
    const { db, globals, copies } = this.#options
    if (checksTables) await checkWorkTables(db, globals)
    const sites = await listDueSites(db, globals)
    for (const blogId of sites) if (!this.#running.has(blogId)) this.#due.add(blogId)
    this.#startNext()
    if (copies) await this.#removeLeftovers(copies)
    return checksTables
  }

  /** Removes what processes that were killed have left. A builder that starts now has no site for a moment. */
  async #removeLeftovers(copies: CopyStore): Promise<void> {
    const { db, globals } = this.#options
    const found = await copies.owners()
    const builders = found.length > 0 ? await listBuilders(db, globals) : new Set<string>()
    const left = found.filter((id) => !builders.has(id))
    for (const id of left) if (this.#leftovers.has(id)) await copies.fence(id)
    this.#leftovers = new Set(left)
  }

  /** What one request has woken may be the work of others. */
  #startNext(): void {
    if (!this.#stopped.signal.aborted) withoutTrace(() => this.#startDue())
  }

  #startDue(): void {
    const awaited = [...this.#due].filter((blogId) => this.#awaited.has(blogId))
    for (const blogId of new Set([...awaited, ...this.#due]))
      if (!this.#running.has(blogId) && this.#running.size < this.#limitOf(blogId))
        this.#start(blogId)
  }

  #limitOf(blogId: number): number {
    return this.#awaited.has(blogId) ? ALL_SITES_AT_ONCE : SITES_AT_ONCE
  }

  #start(blogId: number): void {
    this.#due.delete(blogId)
    this.#awaited.delete(blogId)
    const running = this.#build(blogId).finally(() => {
      this.#running.delete(blogId)
      this.#startNext()
    })
    this.#running.set(blogId, running)
  }

  async #build(blogId: number): Promise<void> {
    const outcome = await buildSite(this.#options, blogId, (failure) => {
      for (const tell of this.#waiting.get(blogId) ?? []) tell(failure)
      const othersWait = [...this.#due].some((other) => !this.#running.has(other))
      return !this.#stopped.signal.aborted && !othersWait
    })
    if (outcome === 'more') this.#due.add(blogId)
  }
}
