import { setTimeout as sleep } from 'node:timers/promises'
import type { ComparedAnswer } from '../../compare/difference.ts'

/** Without a `Retry-After` that can be read, in seconds. */
const DEFAULT_WAIT = 5
/** The longest wait, in seconds. */
const MAX_WAIT = 120

/** When the next request may be sent to a side, by what its answers say about its rate limit. */
export class RequestPace {
  readonly #signal: AbortSignal
  readonly #onWait: (seconds: number) => void
  /** In milliseconds since the epoch. */
  #nextAt = 0

  constructor(signal: AbortSignal, onWait: (seconds: number) => void) {
    this.#signal = signal
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
    const seconds = status === 429 ? retryAfter(headers) : secondsUntilReset(headers)
    if (seconds !== undefined)
      this.#nextAt = Math.max(this.#nextAt, Date.now() + Math.min(seconds, MAX_WAIT) * 1000)
  }
}

/** A number of seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfter({ 'retry-after': text = '' }: ComparedAnswer['headers']): number {
  if (/^\d+$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? DEFAULT_WAIT : Math.max(0, (date - Date.now()) / 1000)
}

/** If no request is left, and the answer says when the minute ends; otherwise the next request finds out. */
function secondsUntilReset(headers: ComparedAnswer['headers']): number | undefined {
  if (headers['x-ratelimit-remaining'] !== '0') return undefined
  const [, reset] = /;t=(\d+)/.exec(headers.ratelimit ?? '') ?? []
  return reset === undefined ? undefined : Number(reset)
}
