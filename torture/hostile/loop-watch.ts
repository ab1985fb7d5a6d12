import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Tells how long one piece of work kept everybody else waiting: on Linux, whatever else the machine does meanwhile. */
export class LoopWatch {
  readonly #pid: number
  readonly #metricsUrl: string

  constructor(pid: number, metricsUrl: string) {
    this.#pid = pid
    this.#metricsUrl = metricsUrl
  }

  /**
   * The longest stall of the service's event loop while something is done, in milliseconds. A loop that only waited for a processor did
   * not stall: so it is no longer than what its thread has used of one.
   */
  async stallDuring<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
    await this.#longestDelay()
    const before = this.#used()
    const result = await work()
    // The delay is noted when the loop comes round again.
    await sleep(50)
    const used = this.#used() - before
    return { result, ms: Math.round(Math.min(used, await this.#longestDelay())) }
  }

  /** Milliseconds that the process's main thread has run. */
  #used(): number {
    const [nanoseconds = '0'] = readFileSync(
      `/proc/${this.#pid}/task/${this.#pid}/schedstat`,
      'utf8',
    ).split(' ')
    return Number(nanoseconds) / 1e6
  }

  /** Since it was last asked, in milliseconds. */
  async #longestDelay(): Promise<number> {
    const text = await (await fetch(this.#metricsUrl)).text()
    return Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1]) * 1000
  }
}
