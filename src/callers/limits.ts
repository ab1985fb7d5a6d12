import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { AppError } from '../errors.ts'

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
