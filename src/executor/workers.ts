import { setTimeout as sleep } from 'node:timers/promises'
import { BackgroundLoop } from '../concurrency/background-loop.ts'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import type { Effects } from '../effects.ts'
import type { CopyStore } from '../publishing/copy-store.ts'
import { withoutTrace } from '../trace.ts'
import type { Site } from '../wordpress/network/site.ts'
import { checkWorkTables } from '../work/check-tables.ts'
import { countWork, isWorking, listDueSites, listOwners } from '../work/claims.ts'
import type { RecordedChange } from '../work/record-work.ts'
import { publishedByOthers } from './follow-others.ts'
import { FollowedChange, type PendingEffects } from './followed-change.ts'
import { describeClaimFailure, workOnSite } from './work-on-site.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Sites whose work nobody waits for here, worked on at the same time. */
const SITES_AT_ONCE = 2
/** All sites worked on at the same time. Each has a snapshot of the database (`MAX_SNAPSHOTS`). */
const ALL_SITES_AT_ONCE = 4
/** The tables of the work are checked once in so many look-ups. */
const CHECK_EVERY = 10
/** Work that another process has not completed is claimed, if it is due, once in so many looks. */
const CLAIM_EVERY = 10

/**
 * Does the recorded work of all sites, one claim after the other. Sites are served in rotation, those with waiting clients first, so that a
 * large site delays the others by one claim at most.
 */
export class Workers {
  readonly #options: WorkerOptions
  readonly #stopped = new AbortController()
  /** Sites with work, in the order in which they are served. */
  readonly #due = new Set<number>()
  /** Those of them that clients of other processes wait for. */
  readonly #awaited = new Set<number>()
  readonly #running = new Map<number, Promise<void>>()
  /** Second claims of sites, for what is touched while the first one is in progress. */
  readonly #second = new Map<number, Promise<void>>()
  /** Sites that were touched again while their second claim was in progress. */
  readonly #touchedAgain = new Set<number>()
  readonly #followed = new Map<number, Set<FollowedChange>>()
  /** Changes whose work was not visible yet to a claim; the next one follows after a pause. */
  readonly #tried = new WeakSet<FollowedChange>()
  #polling: BackgroundLoop | undefined
  /** Look-ups so far. */
  #looks = 0
  /** Claims that had left something behind at the last look-up, and owned no work. */
  #leftovers: ReadonlySet<string> = new Set()

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Starts to look for work of other processes, and of processes that were killed. */
  start(): void {
    this.#polling ??= new BackgroundLoop(() => this.#poll())
  }

  /**
   * Starts the work of a site at once instead of with the next look-up.
   * @param isAwaited whether a client of another process waits for it
   */
  wake(blogId: number, isAwaited = false): void {
    this.#due.add(blogId)
    if (isAwaited) this.#awaited.add(blogId)
    this.#startNext()
  }

  /** Resolves when the claims in progress are completed. What is left stays recorded. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#polling?.stop()
    await Promise.all([...this.#running.values(), ...this.#second.values()])
  }

  /**
   * Waits for the effects of a recorded change.
   * @param budgetMs how long, in milliseconds; undefined to wait until everything is done
   */
  async follow(site: Site, change: RecordedChange, budgetMs: number | undefined): Promise<Effects> {
    const followed = new FollowedChange(site, change)
    const others = this.#followed.get(site.blogId) ?? new Set()
    this.#followed.set(site.blogId, others.add(followed))
    this.#startNext()
    const finished = new AbortController()
    try {
      await Promise.race([
        followed.done,
        this.#watch(followed, finished.signal),
        ...(budgetMs === undefined
          ? []
          : [sleep(budgetMs, undefined, { signal: finished.signal }).catch(() => {})]),
      ])
      return followed.effects(followed.isDone ? undefined : await this.#pending(site))
    } finally {
      finished.abort()
      others.delete(followed)
      if (others.size === 0) this.#followed.delete(site.blogId)
    }
  }

  /** Looks at work that another process does: it ends when nothing of the site is left. */
  async #watch(followed: FollowedChange, signal: AbortSignal): Promise<void> {
    const { db } = this.#options
    const { site } = followed
    for (let looks = 1; !signal.aborted && !followed.isDone; looks += 1) {
      await sleep(db.timings.executor.followMs, undefined, { signal }).catch(() => {})
      if (signal.aborted || followed.isDone || this.#running.has(site.blogId)) continue
      if (!followed.isBaked) {
        this.#tried.delete(followed)
        this.#startNext()
        continue
      }
      // A command does not look for work by itself. The process that claimed it may have been killed.
      if (looks % CLAIM_EVERY === 0) this.wake(site.blogId)
      if (await isWorking(db, site).catch(() => true)) continue
      // Another process has published the remaining pages.
      await publishedByOthers(this.#options, followed, [...followed.remaining], {}).then(
        (published) => followed.report(published),
        () => {},
      )
    }
  }

  async #pending(site: Site): Promise<PendingEffects> {
    return countWork(this.#options.db, site).catch(() => ({ pages: 0, frames: 0 }))
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
    for (const blogId of sites) this.#due.add(blogId)
    this.#startNext()
    if (copies) await this.#removeLeftovers(copies)
    return checksTables
  }

  /** Removes what processes that were killed have left. A claim that starts now owns no work for a moment. */
  async #removeLeftovers(copies: CopyStore): Promise<void> {
    const { db, globals } = this.#options
    const found = await copies.owners()
    const owners = found.length > 0 ? await listOwners(db, globals) : new Set<string>()
    const unowned = found.filter((id) => !owners.has(id))
    for (const id of unowned) if (this.#leftovers.has(id)) await copies.fence(id)
    this.#leftovers = new Set(unowned)
  }

  /** What one request has woken may be the work of others. */
  #startNext(): void {
    if (!this.#stopped.signal.aborted) withoutTrace(() => this.#startDue())
  }

  #startDue(): void {
    for (const [blogId, followed] of this.#followed) {
      if (this.#running.size + this.#second.size >= ALL_SITES_AT_ONCE) return
      const isNew = (change: FollowedChange) => !change.isBaked && !this.#tried.has(change)
      if ([...followed].some(isNew)) this.#startSite(blogId)
    }
    for (const blogId of this.#due) {
      if (this.#running.has(blogId)) this.#startSecond(blogId)
      else if (this.#running.size < this.#limitOf(blogId)) this.#startSite(blogId)
    }
  }

  #limitOf(blogId: number): number {
    return this.#awaited.has(blogId) ? ALL_SITES_AT_ONCE - this.#second.size : SITES_AT_ONCE
  }

  /** An edited page must not wait until the claim in progress ends, which may publish 500 pages. Clients wait for the first claim. */
  #startSecond(blogId: number): void {
    if (this.#followed.has(blogId)) return
    if (this.#second.has(blogId)) {
      this.#touchedAgain.add(blogId)
      return
    }
    if (this.#running.size + this.#second.size >= ALL_SITES_AT_ONCE) return
    const second = this.#workOnTouched(blogId).finally(() => {
      this.#second.delete(blogId)
      if (this.#touchedAgain.delete(blogId)) this.#startNext()
    })
    this.#second.set(blogId, second)
  }

  async #workOnTouched(blogId: number): Promise<void> {
    try {
      await workOnSite(this.#options, blogId, [], { onlyFresh: true, onlyTouched: true })
    } catch (error) {
      describeClaimFailure(this.#options, blogId, error)
    }
  }

  #startSite(blogId: number): void {
    if (this.#running.has(blogId)) return
    // Only the work that a client has just recorded needs no look at former claims.
    const onlyFresh = !this.#due.delete(blogId)
    this.#awaited.delete(blogId)
    const running = this.#work(blogId, onlyFresh).finally(() => {
      this.#running.delete(blogId)
      this.#startNext()
    })
    this.#running.set(blogId, running)
  }

  async #work(blogId: number, onlyFresh: boolean): Promise<void> {
    try {
      const followed = [...(this.#followed.get(blogId) ?? [])]
      for (const change of followed) this.#tried.add(change)
      const outcome = await workOnSite(this.#options, blogId, followed, { onlyFresh })
      if (outcome === 'more') this.#due.add(blogId)
    } catch (error) {
      const message = describeClaimFailure(this.#options, blogId, error)
      for (const change of this.#followed.get(blogId) ?? [])
        if (!change.isBaked) change.fail(message)
    }
  }
}
