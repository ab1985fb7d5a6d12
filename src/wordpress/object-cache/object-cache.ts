import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { CacheKey } from './cache-key.ts'
import { KEY_FORMS, type KeyFormName } from './key-form.ts'

export type ObjectCacheOptions = {
  /** `redis://host:port/db`, with the database that the drop-in uses. */
  readonly url: string
  /** What the drop-in puts before its keys: WP_REDIS_PREFIX, or WP_CACHE_KEY_SALT. */
  readonly prefix: string
  readonly form: KeyFormName
  readonly log: Log
  /** Counts keys that were dropped, or could not be. */
  readonly metrics?: Metrics | undefined
}

/** Longest silence of the cache, in milliseconds: a write must not wait for it. */
const TIMEOUT_MS = 1000
/** A PHP request that read a row just before the commit may put it into the cache afterwards; by then it has. In milliseconds. */
const SECOND_PASS_MS = 1000
/** Keys that wait for another pass at most, so that a cache that is away for long doesn't fill the memory. */
const MAX_WAITING = 200_000
/** Keys in one command. */
const BATCH = 1000

/**
 * A WordPress persistent object cache in Redis. Keys are only ever removed: what it holds is in whatever form its drop-in was told to
 * write. It is never flushed: other programs may keep theirs beside it.
 */
export class ObjectCache {
  readonly #redis: Redis
  readonly #options: ObjectCacheOptions
  readonly #passes = new Set<NodeJS.Timeout>()
  #connected: Promise<unknown> | undefined
  #waiting = 0
  #away = false

  /** Connects when the first key is dropped. */
  constructor(options: ObjectCacheOptions) {
    this.#options = options
    this.#redis = new Redis(options.url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: TIMEOUT_MS,
      commandTimeout: TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
    })
    // Whatever is wrong is said where a key could not be dropped.
    this.#redis.on('error', () => {})
  }

  /**
   * Drops these keys at once, and again a little later; where that fails, until it doesn't. Never throws: what was written is written.
   */
  async forget(keys: ReadonlySet<CacheKey>): Promise<void> {
    const { prefix, form } = this.#options
    const held = [...keys].map((key) => KEY_FORMS[form](prefix, key))
    await this.#drop(held)
    this.#dropLater(held)
  }

  /** Waits for the second pass of what was dropped last, then disconnects. */
  async close(): Promise<void> {
    if (this.#passes.size > 0) await sleep(SECOND_PASS_MS)
    for (const pass of this.#passes) clearTimeout(pass)
    this.#redis.disconnect()
  }

  #dropLater(keys: readonly string[]): void {
    if (this.#waiting + keys.length > MAX_WAITING) {
      this.#options.log.error(
        { keys: keys.length },
        'the object cache was away too long: flush it in WordPress, it holds what is no longer true',
      )
      return
    }
    this.#waiting += keys.length
    const pass = setTimeout(async () => {
      const dropped = await this.#drop(keys)
      this.#passes.delete(pass)
      this.#waiting -= keys.length
      if (!dropped) this.#dropLater(keys)
    }, SECOND_PASS_MS)
    pass.unref()
    this.#passes.add(pass)
  }

  /** All in one transaction: half a change is worse than none. A menu item that is gone while a query still names it ends the page. */
  async #drop(keys: readonly string[]): Promise<boolean> {
    try {
      this.#connected ??= this.#redis.connect().catch(() => {})
      await this.#connected
      const multi = this.#redis.multi()
      for (let at = 0; at < keys.length; at += BATCH) multi.unlink(...keys.slice(at, at + BATCH))
      for (const [error] of (await multi.exec()) ?? []) if (error) throw error
      if (this.#away) this.#options.log.info('the Redis at OBJECT_CACHE_URL is back')
      this.#away = false
      this.#options.metrics?.countDrops('ok', keys.length)
      return true
    } catch (error) {
      this.#options.metrics?.countDrops('failed', keys.length)
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
