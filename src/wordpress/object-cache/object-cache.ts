import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { type CacheKey, KEY_FORMS, type KeyFormName, siteKey } from './cache-keys.ts'
import {
  countStaleKeys,
  deleteStaleKeys,
  mergeStaleKeys,
  readStaleKeys,
  staleKeysTable,
  storeStaleKeys,
} from './stale-keys-table.ts'

export type ObjectCacheOptions = {
  /** `redis://host:port/db`, with the database that the drop-in uses. */
  readonly url: string
  /** What the drop-in puts before its keys: WP_REDIS_PREFIX, or WP_CACHE_KEY_SALT. */
  readonly prefix: string
  readonly form: KeyFormName
  /** The network's base prefix. */
  readonly tablePrefix: string
  /** Asked for when it is first needed: the database is opened with this cache. */
  readonly db: () => Database
  readonly log: Log
  /** Counts keys that were dropped, or could not be. */
  readonly metrics?: Metrics | undefined
  readonly timing?: Partial<ObjectCacheTiming>
}

/** All in milliseconds. */
export type ObjectCacheTiming = {
  /** How long the cache may take over an answer [1 second]. */
  readonly timeout: number
  /**
   * Time from the first deletion of keys to the second [1 second]: a PHP request that read a row just before the commit may have put it
   * into the cache meanwhile.
   */
  readonly secondPass: number
  /** Pause between two attempts to reach a cache that is unavailable [2 seconds]. */
  readonly retry: number
}

const TIMING: ObjectCacheTiming = { timeout: 1000, secondPass: 1000, retry: 2000 }
/** A timer may end a little early. In milliseconds. */
const SLACK_MS = 20
/** Pause between two looks for keys that a process stored and did not drop because it was ended, in milliseconds. */
const IDLE_MS = 60_000
/** Stored keys at most: beyond it, a cache that is away must be flushed by the operator. */
export const MAX_STALE_KEYS = 200_000
/** Keys in one command. */
const KEYS_PER_COMMAND = 1000
/** Nobody stores it: to drop it shows whether the cache can be reached. */
const PROBE = siteKey({ blogId: 0 }, 'svc', 'probe')

/**
 * A WordPress persistent object cache in Redis. Keys are only ever removed: what it holds is in whatever form its drop-in was told to
 * write. It is never flushed: other programs may keep theirs beside it.
 *
 * A write stores its keys in its own transaction. After the commit they are dropped at once, and again a little later; then they are
 * deleted from the table. So a write that is committed is followed by the drop, whatever becomes of the process or the connection: any
 * process that reaches the cache drops what the table holds.
 */
export class ObjectCache {
  readonly #redis: Redis
  readonly #options: ObjectCacheOptions
  readonly #timing: ObjectCacheTiming
  readonly #table: string
  /** When stored keys were first dropped by this process, by the ids of their rows. */
  readonly #dropped = new Map<number, number>()
  #connected: Promise<unknown> | undefined
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #sweeping: Promise<void> | undefined
  #away = false
  #closed = false

  /** Connects when the first key is dropped. */
  constructor(options: ObjectCacheOptions) {
    this.#options = options
    this.#timing = { ...TIMING, ...options.timing }
    const { timeout } = this.#timing
    this.#table = staleKeysTable(options.tablePrefix)
    this.#redis = new Redis(options.url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: timeout,
      commandTimeout: timeout,
      // One that was silent may be gone without a word: the connection is made again.
      socketTimeout: timeout,
      retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
    })
    // Whatever is wrong is said where a key could not be dropped.
    this.#redis.on('error', () => {})
  }

  /** Begins to drop what processes stored that were ended before they dropped it, and looks for more from time to time. */
  start(): void {
    this.#sweepIn(0)
  }

  /** Stores these keys with the write that makes them stale, and drops them after its commit. */
  async invalidate(tx: Tx, keys: ReadonlySet<CacheKey>): Promise<void> {
    const ids = await storeStaleKeys(tx, this.#table, keys)
    tx.afterCommit(async () => {
      // While the cache is away no write waits for it.
      if (!this.#away && (await this.#drop(keys))) this.#noteDropped(ids)
      this.#sweepIn(this.#pause())
    })
  }

  /** Drops for the second time what was dropped last, then disconnects. The database must still be open. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#sweeping
    if (this.#dropped.size > 0) {
      await sleep(this.#timing.secondPass + SLACK_MS)
      await this.#sweep()
    }
    this.#redis.disconnect()
  }

  #noteDropped(ids: Iterable<number>): void {
    const now = performance.now()
    for (const id of ids) if (!this.#dropped.has(id)) this.#dropped.set(id, now)
  }

  /** Sweeps after this time, unless that is to happen sooner anyway. */
  #sweepIn(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds
    if (this.#closed || (this.#timer !== undefined && this.#dueAt <= dueAt)) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#sweeping ??= this.#sweep().finally(() => {
        this.#sweeping = undefined
        this.#sweepIn(this.#pause())
      })
    }, milliseconds)
    this.#timer.unref()
  }

  #pause(): number {
    if (this.#away) return this.#timing.retry
    return this.#dropped.size > 0 ? this.#timing.secondPass + SLACK_MS : IDLE_MS
  }

  /** Drops all stored keys, and deletes those that were dropped some time before as well. */
  async #sweep(): Promise<void> {
    const db = this.#options.db()
    try {
      if (this.#away && !(await this.#drop([PROBE]))) return await this.#limitStored(db)
      const known = [...this.#dropped.keys()]
      const rows = await readStaleKeys(db, this.#table)
      const due = performance.now() - this.#timing.secondPass
      const keys = rows.flatMap((row) => row.keys)
      if (!(await this.#drop(new Set([PROBE, ...keys])))) return
      const ids = rows.map(({ id }) => id)
      const done = ids.filter((id) => (this.#dropped.get(id) ?? Number.POSITIVE_INFINITY) <= due)
      await deleteStaleKeys(db, this.#table, done)
      const deleted = new Set(done)
      const left = new Set(ids.filter((id) => !deleted.has(id)))
      for (const id of known) if (!left.has(id)) this.#dropped.delete(id)
      this.#noteDropped(left)
    } catch (error) {
      this.#dropped.clear()
      this.#options.log.warn({ err: error }, 'stored keys of the object cache could not be read')
    }
  }

  /** Bounds what is stored while the cache is away. */
  async #limitStored(db: Database): Promise<void> {
    if ((await countStaleKeys(db, this.#table)) <= MAX_STALE_KEYS) return
    const sites = await mergeStaleKeys(db, this.#table)
    this.#options.log.error(
      { sites },
      'the object cache was away too long: run "wp cache flush" when it is back, it holds what is no longer true of these sites',
    )
  }

  /** All in one transaction: half a change is worse than none. A menu item that is gone while a query still names it ends the page. */
  async #drop(keys: Iterable<CacheKey>): Promise<boolean> {
    const { prefix, form, log, metrics } = this.#options
    const stored = Array.from(keys, (key) => KEY_FORMS[form](prefix, key))
    try {
      this.#connected ??= this.#redis.connect().catch(() => {})
      await this.#connected
      const multi = this.#redis.multi()
      for (let at = 0; at < stored.length; at += KEYS_PER_COMMAND)
        multi.unlink(...stored.slice(at, at + KEYS_PER_COMMAND))
      for (const [error] of (await multi.exec()) ?? []) if (error) throw error
      if (this.#away) log.info('the Redis at OBJECT_CACHE_URL is back')
      this.#away = false
      metrics?.countInvalidations('ok', stored.length)
      return true
    } catch (error) {
      metrics?.countInvalidations('failed', stored.length)
      this.#sayAway(error)
      return false
    }
  }

  #sayAway(error: unknown): void {
    if (this.#away) return
    this.#away = true
    // The whole error may hold the password that was sent.
    this.#options.log.error(
      { reason: error instanceof Error ? error.message : String(error) },
      'the Redis at OBJECT_CACHE_URL does not drop keys: WordPress shows what it remembers until it does',
    )
  }
}
