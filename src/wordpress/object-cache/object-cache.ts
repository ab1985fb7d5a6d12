import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import type { Timings } from '../../host/timings.ts'
import { type CacheKey, KEY_FORMS, type KeyFormName, siteKey } from '../cache-keys.ts'
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
  /** The prefix of the drop-in's keys: WP_REDIS_PREFIX or WP_CACHE_KEY_SALT. */
  readonly prefix: string
  readonly form: KeyFormName
  /** The network's base prefix. */
  readonly tablePrefix: string
  readonly db: Database
  readonly log: Log
  /** Counts invalidated keys, and failures. */
  readonly metrics?: Metrics | undefined
}

/** Maximum number of stored keys; beyond it, an operator must flush an unreachable cache. */
export const MAX_STALE_KEYS = 200_000
/** Keys per command. */
const KEYS_PER_COMMAND = 1000
/** A key that no program stores: deleting it shows whether the cache is reachable. */
const PROBE = siteKey({ blogId: 0 }, 'svc', 'probe')

/**
 * A WordPress persistent object cache in Redis. Keys are only ever deleted: values are in the drop-in's format. The cache is never flushed:
 * other programs may use the same database.
 *
 * A write stores its stale keys in its own transaction. After the commit they are deleted from Redis at once, and a second time a little
 * later; then they are deleted from the table. So every committed write is followed by the invalidation, even if the process or the
 * connection fails: every process that reaches the cache invalidates the keys in the table.
 */
export class ObjectCache {
  readonly #redis: Redis
  readonly #options: ObjectCacheOptions
  readonly #timings: Timings['objectCache']
  readonly #table: string
  /** When this process first invalidated stored keys, by the ids of their rows. */
  readonly #invalidatedAt = new Map<number, number>()
  #connected: Promise<unknown> | undefined
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #sweeping: Promise<void> | undefined
  #unreachable = false
  #closed = false

  /** Connects at the first invalidation. */
  constructor(options: ObjectCacheOptions) {
    this.#options = options
    this.#timings = options.db.timings.objectCache
    const { timeoutMs, reconnectMs, maxReconnectMs } = this.#timings
    this.#table = staleKeysTable(options.tablePrefix)
    this.#redis = new Redis(options.url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: timeoutMs,
      commandTimeout: timeoutMs,
      // A connection without a reply may be dead: it is replaced.
      socketTimeout: timeoutMs,
      retryStrategy: (attempt) => Math.min(attempt * reconnectMs, maxReconnectMs),
    })
    // Errors are reported where an invalidation fails.
    this.#redis.on('error', () => {})
  }

  /** Starts invalidating the stored keys of processes that ended too early, and checks for more periodically. */
  start(): void {
    this.#sweepIn(0)
  }

  /** Stores these keys with the write that makes them stale, and invalidates them after its commit. */
  async invalidate(tx: Tx, keys: ReadonlySet<CacheKey>): Promise<void> {
    const ids = await storeStaleKeys(tx, this.#table, keys)
    tx.afterCommit(async () => {
      // Writes do not wait for an unreachable cache.
      if (!this.#unreachable && (await this.#deleteKeys(keys))) this.#recordInvalidated(ids)
      this.#sweepIn(this.#pause())
    })
  }

  /** Runs the second invalidation of recent keys, then disconnects. The database must still be open. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#sweeping
    if (this.#invalidatedAt.size > 0) {
      await sleep(this.#timings.secondPassMs + this.#timings.slackMs)
      await this.#sweep()
    }
    this.#redis.disconnect()
  }

  #recordInvalidated(ids: Iterable<number>): void {
    const now = performance.now()
    for (const id of ids) if (!this.#invalidatedAt.has(id)) this.#invalidatedAt.set(id, now)
  }

  /** Schedules a sweep, unless an earlier one is already scheduled. */
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
    const { retryMs, secondPassMs, slackMs, idleMs } = this.#timings
    if (this.#unreachable) return retryMs
    return this.#invalidatedAt.size > 0 ? secondPassMs + slackMs : idleMs
  }

  /** Invalidates all stored keys, and deletes the rows of those whose first invalidation is long enough ago. */
  async #sweep(): Promise<void> {
    const { db } = this.#options
    try {
      if (this.#unreachable && !(await this.#deleteKeys([PROBE])))
        return await this.#limitStored(db)
      const known = [...this.#invalidatedAt.keys()]
      const rows = await readStaleKeys(db, this.#table)
      const due = performance.now() - this.#timings.secondPassMs
      const keys = rows.flatMap((row) => row.keys)
      if (!(await this.#deleteKeys(new Set([PROBE, ...keys])))) return
      const ids = rows.map(({ id }) => id)
      const done = ids.filter(
        (id) => (this.#invalidatedAt.get(id) ?? Number.POSITIVE_INFINITY) <= due,
      )
      if (done.length > 0) await db.write({}, (tx) => deleteStaleKeys(tx, this.#table, done))
      const deleted = new Set(done)
      const remaining = new Set(ids.filter((id) => !deleted.has(id)))
      for (const id of known) if (!remaining.has(id)) this.#invalidatedAt.delete(id)
      this.#recordInvalidated(remaining)
    } catch (error) {
      this.#invalidatedAt.clear()
      this.#options.log.warn({ err: error }, 'reading the stored keys of the object cache failed')
    }
  }

  /** Limits the number of stored keys while the cache is unreachable. */
  async #limitStored(db: Database): Promise<void> {
    if ((await countStaleKeys(db, this.#table)) <= MAX_STALE_KEYS) return
    const sites = await mergeStaleKeys(db, this.#table)
    this.#options.log.error(
      { sites },
      'object cache unreachable for too long; invalidations of these sites were lost. Run "wp cache flush" when it is reachable again',
    )
  }

  /**
   * Deletes all keys in one Redis transaction. A partial deletion would be worse than none: if a deleted menu item is still in a cached
   * query, the page fails.
   */
  async #deleteKeys(keys: Iterable<CacheKey>): Promise<boolean> {
    const { prefix, form, log, metrics } = this.#options
    const stored = Array.from(keys, (key) => KEY_FORMS[form](prefix, key))
    try {
      this.#connected ??= this.#redis.connect().catch(() => {})
      await this.#connected
      const multi = this.#redis.multi()
      for (let index = 0; index < stored.length; index += KEYS_PER_COMMAND)
        multi.unlink(...stored.slice(index, index + KEYS_PER_COMMAND))
      for (const [error] of (await multi.exec()) ?? []) if (error) throw error
      if (this.#unreachable) log.info('Redis (OBJECT_CACHE_URL) is reachable again')
      this.#unreachable = false
      metrics?.count('object_cache_keys_total', { outcome: 'ok' }, stored.length)
      return true
    } catch (error) {
      metrics?.count('object_cache_keys_total', { outcome: 'failed' }, stored.length)
      this.#reportUnreachable(error)
      return false
    }
  }

  #reportUnreachable(error: unknown): void {
    if (this.#unreachable) return
    this.#unreachable = true
    // The complete error may contain the password that was sent.
    this.#options.log.error(
      { reason: error instanceof Error ? error.message : String(error) },
      'Redis (OBJECT_CACHE_URL) does not delete keys; WordPress serves stale values until it does',
    )
  }
}
