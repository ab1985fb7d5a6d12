import { Redis } from 'ioredis'
import type { Log } from '../log.ts'

/** Longest silence of the counter store, in milliseconds: counting must not hold up requests. */
const REDIS_REPLY_TIMEOUT_MS = 500

/**
 * Connects to the Redis that instances share their counters in. A store that is away, hangs or refuses to write is said once, and
 * once more when it is back.
 * @param patienceMs how long it may be silent, in milliseconds
 */
export function connectCounterStore(
  url: string,
  log: Log,
  patienceMs = REDIS_REPLY_TIMEOUT_MS,
): Redis {
  let away = false
  const sayAway = ({ message }: Error): void => {
    if (away) return
    away = true
    // The whole error may hold the password that was sent.
    log.warn(
      { reason: message },
      'the Redis at REDIS_URL does not count: each instance counts for itself until it does',
    )
  }
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: patienceMs,
    socketTimeout: patienceMs,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
    // Asked about every refusal; not knowing a script yet is none.
    reconnectOnError: (error) => {
      if (!error.message.startsWith('NOSCRIPT')) sayAway(error)
      return false
    },
  })
  redis.on('error', sayAway)
  redis.on('ready', () => {
    if (away) log.info('the Redis at REDIS_URL is back: counters are shared again')
    away = false
  })
  return redis
}
