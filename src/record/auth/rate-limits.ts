import { isIPv4 } from 'node:net'
import { Redis } from 'ioredis'
import ipaddr from 'ipaddr.js'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { AppError } from '../../host/errors.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Log } from '../../host/log.ts'
import type { Timings } from '../../host/timings.ts'

/** The requests that a client may still send in the current minute. */
export type Quota = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the minute ends. */
  readonly resetSeconds: number
}

export type RateLimitOptions = {
  /** Requests per minute of one token, or of one address if the request has no valid token; 0: no limit. */
  readonly rateLimitPerMinute: number
  /** Failed authentications per minute of one address; 0: no limit. */
  readonly authFailuresPerMinute: number
  /** The store in which instances share their counters; without it each instance counts separately. */
  readonly redis?: Redis | undefined
}

/** Requests and failures are counted in windows of so many seconds. */
export const WINDOW_SECONDS = 60

/** Bytes of the answers that one token may have kept for its `Idempotency-Key`s in so many seconds; they are kept as long. */
export const KEPT_ANSWERS = { bytes: 64 * 1024 * 1024, seconds: 86_400 }

/** The counters of requests, of failed authentications and of kept answers. */
export class RateLimits {
  readonly #options: RateLimitOptions
  readonly #requests: RateLimiterAbstract
  readonly #failures: RateLimiterAbstract
  readonly #kept: RateLimiterAbstract

  constructor(options: RateLimitOptions) {
    this.#options = options
    this.#requests = createLimiter('svc:requests', options.rateLimitPerMinute, options.redis)
    this.#failures = createLimiter('svc:failures', options.authFailuresPerMinute, options.redis)
    const { bytes, seconds } = KEPT_ANSWERS
    this.#kept = createLimiter('svc:kept', bytes, options.redis, seconds)
  }

  /**
   * Counts one request.
   * @returns the remaining quota; undefined if there is no limit. `exceeded` is the error to answer once the quota is used up.
   */
  async countRequest(
    key: string,
  ): Promise<{ quota: Quota; exceeded: AppError | undefined } | undefined> {
    const limit = this.#options.rateLimitPerMinute
    if (limit === 0) return undefined
    const { consumedPoints, msBeforeNext } = await countOne(this.#requests, key)
    const quota = {
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: toWholeSeconds(msBeforeNext),
    }
    return { quota, exceeded: consumedPoints > limit ? tooManyRequests(quota) : undefined }
  }

  /** @throws AppError `too_many_auth_failures` while the address has no failed attempts left */
  async assertMayAuthenticate(addressKey: string): Promise<void> {
    const limit = this.#options.authFailuresPerMinute
    if (limit === 0) return
    const counted = await this.#failures.get(addressKey)
    // The store may still have the counter of an expired minute.
    const isCurrent = counted !== null && counted.msBeforeNext > 0
    if (isCurrent && counted.consumedPoints >= limit) throw tooManyFailures(counted.msBeforeNext)
  }

  /** @throws AppError `too_many_auth_failures` if concurrent attempts have already used up the limit */
  async countFailure(addressKey: string): Promise<void> {
    const limit = this.#options.authFailuresPerMinute
    if (limit === 0) return
    const { consumedPoints, msBeforeNext } = await countOne(this.#failures, addressKey)
    if (consumedPoints > limit) throw tooManyFailures(msBeforeNext)
  }

  /** @throws AppError `too_many_requests` while the kept answers of the token take too much */
  async assertMayKeep(tokenId: number): Promise<void> {
    const counted = await this.#kept.get(String(tokenId))
    if (counted && counted.msBeforeNext > 0 && counted.consumedPoints >= KEPT_ANSWERS.bytes)
      throw tooMuchKept(counted.msBeforeNext)
  }

  /** Counts the bytes of a kept answer. */
  async countKept(tokenId: number, bytes: number): Promise<void> {
    await countOne(this.#kept, String(tokenId), bytes)
  }
}

/** A counter in Redis or in memory. While Redis is unavailable it counts in memory, so that an outage of the store blocks no client. */
function createLimiter(
  keyPrefix: string,
  points: number,
  redis: Redis | undefined,
  duration = WINDOW_SECONDS,
): RateLimiterAbstract {
  const memory = new RateLimiterMemory({ keyPrefix, points, duration })
  if (!redis) return memory
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix,
    points,
    duration,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
  })
}

async function countOne(
  counter: RateLimiterAbstract,
  key: string,
  points = 1,
): Promise<RateLimiterRes> {
  try {
    return await counter.consume(key, points)
  } catch (rejected) {
    // Above the limit the library rejects with the count itself.
    if (rejected instanceof RateLimiterRes) return rejected
    throw rejected
  }
}

const toWholeSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

function tooManyRequests({ limit, resetSeconds }: Quota): AppError {
  return new AppError(
    'too_many_requests',
    `More than ${limit} requests in one minute. Retry in ${resetSeconds} seconds (Retry-After).`,
    { retry_after: resetSeconds },
  )
}

function tooMuchKept(milliseconds: number): AppError {
  const megabytes = KEPT_ANSWERS.bytes / 1024 / 1024
  return new AppError(
    'too_many_requests',
    `The answers that are kept for the Idempotency-Keys of this token take more than ${megabytes} MB. Nothing was written. Send the request without the header, or retry later (Retry-After).`,
    { retry_after: toWholeSeconds(milliseconds) },
  )
}

function tooManyFailures(milliseconds: number): AppError {
  const wait = toWholeSeconds(milliseconds)
  return new AppError(
    'too_many_auth_failures',
    `Too many requests without a valid token came from this address. Check the token and retry in ${wait} seconds (Retry-After).`,
    { retry_after: wait },
  )
}

/**
 * Connects to the Redis in which instances share their counters. Logs once when it is unreachable, does not reply or rejects writes, and once
 * when it works again.
 */
export function connectCounterStore(
  url: string,
  log: Log,
  { redisReplyMs, redisPauseMs, redisMaxPauseMs }: Timings['auth'],
): Redis {
  let unavailable = false
  const warnUnavailable = ({ message }: Error): void => {
    if (unavailable) return
    unavailable = true
    // Only the message: the error object may contain the password.
    log.warn(
      { reason: message },
      'Redis (REDIS_URL) is unavailable; rate limits fall back to per-process counters',
    )
  }
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: redisReplyMs,
    socketTimeout: redisReplyMs,
    retryStrategy: (attempt) => Math.min(attempt * redisPauseMs, redisMaxPauseMs),
    // Called for every error reply; NOSCRIPT only means that the script is not loaded yet.
    reconnectOnError: (error) => {
      if (!error.message.startsWith('NOSCRIPT')) warnUnavailable(error)
      return false
    },
  })
  redis.on('error', warnUnavailable)
  redis.on('ready', () => {
    if (unavailable) log.info('Redis (REDIS_URL) is available again; rate limits are shared')
    unavailable = false
  })
  return redis
}

/**
 * The key under which an address is counted. For IPv6 it is the network: one customer owns a whole /64 and could otherwise use a new address for every
 * attempt.
 * @param bits of the network, a multiple of 8 [64]
 */
export function addressKey(address: string | undefined, bits = 64): string {
  if (address === undefined) return 'unknown'
  if (isIPv4(address)) return address
  // What a trusted proxy sends in place of an address, such as an identifier (RFC 7239, section 6.3), tells its clients apart.
  if (!ipaddr.isValid(address)) return `text:${sha256Hex(address)}`
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().slice(0, bits / 8)
  return `${Buffer.from(network).toString('hex')}/${bits}`
}
