import { pause } from './background-loop.ts'

export type TokenBucketOptions = {
  /** Tokens of a full bucket. */
  readonly burst: number
  readonly perSecond: number
}

/** Limits how often something is done. A bucket begins full. */
export class TokenBucket {
  readonly #options: TokenBucketOptions
  #tokens: number
  /** When `#tokens` was right, in milliseconds of `performance.now()`; later than now during a pause. */
  #countedAt = performance.now()

  constructor(options: TokenBucketOptions) {
    this.#options = options
    this.#tokens = options.burst
  }

  /**
   * Takes a token, as soon as there is one.
   * @returns false if the signal is aborted before
   */
  async take(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const waitMs = this.#refill()
      if (this.#tokens >= 1) {
        this.#tokens -= 1
        return true
      }
      await pause(waitMs, signal)
    }
    return false
  }

  /** The bucket is empty for so long, in milliseconds: who counts the requests has refused one. */
  pauseFor(ms: number): void {
    this.#refill()
    this.#tokens = 0
    this.#countedAt = Math.max(this.#countedAt, performance.now() + ms - this.#msPerToken())
  }

  /** @returns how long until there is a token, in milliseconds */
  #refill(): number {
    const now = performance.now()
    const passed = now - this.#countedAt
    if (passed > 0) {
      const { burst } = this.#options
      this.#tokens = Math.min(burst, this.#tokens + passed / this.#msPerToken())
      this.#countedAt = now
    }
    return Math.max(0, -passed) + Math.ceil((1 - this.#tokens) * this.#msPerToken())
  }

  #msPerToken(): number {
    return 1000 / this.#options.perSecond
  }
}
