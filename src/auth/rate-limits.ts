import { Redis } from 'ioredis'
import ipaddr from 'ipaddr.js'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/** What is left to a caller in the running minute. */
export type Quota = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the minute is over. */
  readonly resetSeconds: number
}

export type RateLimitOptions = {
  /** Requests a minute for one token, or one address before a token is known; 0 sets no limit. */
  readonly requestsPerMinute: number
  /** Failed authentications a minute from one address; 0 sets no limit. */
  readonly authFailuresPerMinute: number
  /** Where instances share their counters; each counts for itself without. */
  readonly redis?: Redis | undefined
}

const WINDOW_SECONDS = 60

/** The two counters of the contract's section 8. */
export class RateLimits {
  readonly #options: RateLimitOptions
  readonly #requests: RateLimiterAbstract
  readonly #failures: RateLimiterAbstract

  constructor(options: RateLimitOptions) {
    this.#options = options
    this.#requests = createLimiter('svc:requests', options.requestsPerMinute, options.redis)
    this.#failures = createLimiter('svc:failures', options.authFailuresPerMinute, options.redis)
  }

  /**
   * Counts one request.
   * @returns what is left; undefined where there is no limit. `exceeded` is the refusal once nothing was left.
   */
  async countRequest(
    key: string,
  ): Promise<{ quota: Quota; exceeded: AppError | undefined } | undefined> {
    const limit = this.#options.requestsPerMinute
    if (limit === 0) return undefined
    const { consumedPoints, msBeforeNext } = await countOne(this.#requests, key)
    const quota = {
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: wholeSeconds(msBeforeNext),
    }
    return { quota, exceeded: consumedPoints > limit ? tooManyRequests(quota) : undefined }
  }

  /** @throws AppError `too_many_auth_failures` while the address has used up its failed attempts */
  async assertMayAuthenticate(addressKey: string): Promise<void> {
    const limit = this.#options.authFailuresPerMinute
    if (limit === 0) return
    const counted = await this.#failures.get(addressKey)
    // A minute that is over may still lie in the store.
    const isRunning = counted !== null && counted.msBeforeNext > 0
    if (isRunning && counted.consumedPoints >= limit) throw tooManyFailures(counted.msBeforeNext)
  }

  /** @throws AppError `too_many_auth_failures` where attempts sent at the same time were already too many */
  async countFailure(addressKey: string): Promise<void> {
    const limit = this.#options.authFailuresPerMinute
    if (limit === 0) return
    const { consumedPoints, msBeforeNext } = await countOne(this.#failures, addressKey)
    if (consumedPoints > limit) throw tooManyFailures(msBeforeNext)
  }
}

/** A counter in Redis, or in memory; and in memory while Redis is away, so that a dead store stops nobody. */
function createLimiter(
  keyPrefix: string,
  points: number,
  redis: Redis | undefined,
): RateLimiterAbstract {
  const memory = new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS })
  if (!redis) return memory
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix,
    points,
    duration: WINDOW_SECONDS,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
  })
}

async function countOne(counter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await counter.consume(key)
  } catch (rejected) {
    // The library throws the count itself once it is over the limit.
    if (rejected instanceof RateLimiterRes) return rejected
    throw rejected
  }
}

const wholeSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

function tooManyRequests({ limit, resetSeconds }: Quota): AppError {
  return new AppError(
    'too_many_requests',
    `More than ${limit} requests in a minute. Wait ${resetSeconds} seconds (Retry-After) and go on.`,
    { retry_after: resetSeconds },
  )
}

function tooManyFailures(milliseconds: number): AppError {
  const wait = wholeSeconds(milliseconds)
  return new AppError(
    'too_many_auth_failures',
    `Too many requests without a valid token came from this address. Wait ${wait} seconds (Retry-After), then check the token.`,
    { retry_after: wait },
  )
}

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

/**
 * The key under which an address is counted. Of IPv6 the /64: a whole one belongs to a single customer, who
 * could otherwise take a new address for every attempt.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().slice(0, 8)
  return `${Buffer.from(network).toString('hex')}/64`
}
