import { Redis } from 'ioredis'
import type { Log } from '../log.ts'

/** Longest wait for an answer of the counter store, in milliseconds: counting must not hold up requests. */
const TIMEOUT_MS = 500

/** Connects to the Redis that instances share their counters in. When it goes away that is said once, and once when it is back. */
export function connectCounterStore(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  let away = false
  redis.on('error', (error: Error) => {
    if (away) return
    away = true
    log.warn(
      { err: error },
      'the Redis at REDIS_URL is away: each instance counts for itself until it is back',
    )
  })
  redis.on('ready', () => {
    if (away) log.info('the Redis at REDIS_URL is back: counters are shared again')
    away = false
  })
  return redis
}
