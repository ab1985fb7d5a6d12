import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats work in the background, until it is stopped. It does not keep the process from ending. */
export class BackgroundLoop {
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>
  /** Ends the pause. */
  #pausing = new AbortController()
  #isWoken = false

  /**
   * @param work one round; it handles its errors, ends early if the signal is aborted, and returns the pause until the next round, in milliseconds
   * @param firstPauseMs the pause before the first round [none]
   */
  constructor(work: (signal: AbortSignal) => Promise<number>, firstPauseMs = 0) {
    this.#running = this.#run(work, firstPauseMs)
  }

  /** Aborted by `stop`. */
  get signal(): AbortSignal {
    return this.#stopped.signal
  }

  /** Begins the next round at once, or after the one in progress. */
  wake(): void {
    this.#isWoken = true
    this.#pausing.abort()
  }

  /** Resolves when the round in progress has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#pausing.abort()
    await this.#running
  }

  async #run(work: (signal: AbortSignal) => Promise<number>, firstPauseMs: number): Promise<void> {
    await this.#pause(firstPauseMs)
    while (!this.signal.aborted) {
      this.#isWoken = false
      await this.#pause(await work(this.signal))
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isWoken || this.signal.aborted) return
    this.#pausing = new AbortController()
    await pause(ms, this.#pausing.signal)
  }
}

/** Waits so many milliseconds, or until the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}
