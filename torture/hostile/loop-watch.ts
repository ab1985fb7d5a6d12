import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Measures for how long a request blocks the event loop of the service; on Linux, without the noise of the machine. */
export class LoopWatch {
  readonly #pid: number
  readonly #metricsUrl: string

  constructor(pid: number, metricsUrl: string) {
    this.#pid = pid
    this.#metricsUrl = metricsUrl
  }

  /**
   * The longest stall of the service's event loop during some work, in milliseconds. Waiting for a CPU is no stall, so the result is
   * limited to the CPU time of its thread.
   */
  async stallDuring<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
    await this.#longestDelay()
    const before = this.#used()
    const result = await work()
    // The delay is recorded in the next iteration of the event loop.
    await sleep(50)
    const used = this.#used() - before
    return { result, ms: Math.round(Math.min(used, await this.#longestDelay())) }
  }

  /** CPU time of the process's main thread, in milliseconds. */
  #used(): number {
    const [nanoseconds = '0'] = readFileSync(
      `/proc/${this.#pid}/task/${this.#pid}/schedstat`,
      'utf8',
    ).split(' ')
    return Number(nanoseconds) / 1e6
  }

  /** The longest delay since the last call, in milliseconds. */
  async #longestDelay(): Promise<number> {
    const text = await (await fetch(this.#metricsUrl)).text()
    return Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1]) * 1000
  }
}
