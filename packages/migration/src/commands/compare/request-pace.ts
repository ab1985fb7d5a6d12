import { setTimeout as sleep } from 'node:timers/promises'
import type { Timings } from '#wp-frames/host/timings'
import type { ComparedAnswer } from '../../compare/difference.ts'

/** When the next request may be sent to a side, by what its answers say about its rate limit. */
export class RequestPace {
  readonly #signal: AbortSignal
  readonly #timings: Timings['compare']
  readonly #onWait: (seconds: number) => void
  /** In milliseconds since the epoch. */
  #nextAt = 0

  constructor(signal: AbortSignal, timings: Timings['compare'], onWait: (seconds: number) => void) {
    this.#signal = signal
    this.#timings = timings
    this.#onWait = onWait
  }

  /** Resolves when a request may be sent. */
  async wait(): Promise<void> {
    const ms = this.#nextAt - Date.now()
    if (ms <= 0) return
    if (ms >= 1000) this.#onWait(ms / 1000)
    await sleep(ms, undefined, { signal: this.#signal })
  }

  observe({ status, headers }: ComparedAnswer): void {
    const { retryAfterSeconds, maxRetryAfterSeconds } = this.#timings
    const seconds =
      status === 429 ? retryAfter(headers, retryAfterSeconds) : secondsUntilReset(headers)
    if (seconds !== undefined)
      this.#nextAt = Math.max(
        this.#nextAt,
        Date.now() + Math.min(seconds, maxRetryAfterSeconds) * 1000,
      )
  }
}

/** A number of seconds, or a date (RFC 9110, section 10.2.3). @param otherwise without one that can be read */
function retryAfter(
  { 'retry-after': text = '' }: ComparedAnswer['headers'],
  otherwise: number,
): number {
  if (/^\d+$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? otherwise : Math.max(0, (date - Date.now()) / 1000)
}

/** If no request is left, and the answer says when the minute ends; otherwise the next request finds out. */
function secondsUntilReset(headers: ComparedAnswer['headers']): number | undefined {
  if (headers['x-ratelimit-remaining'] !== '0') return undefined
  const [, reset] = /;t=(\d+)/.exec(headers.ratelimit ?? '') ?? []
  return reset === undefined ? undefined : Number(reset)
}
