import { AppError } from '../errors.ts'

export type FairQueueOptions = {
  /** Names what the tasks wait for in error messages, such as `a worker thread`. */
  readonly resource: string
  /** Maximum number of tasks that run concurrently. */
  readonly concurrency: number
  /** Maximum number of tasks of one key that run concurrently; a function if it may change. */
  readonly concurrencyPerKey: number | ((key: string) => number)
  /** Maximum number of tasks of one key that wait. */
  readonly maxWaitingPerKey: number
  /** Maximum time that a task waits, in milliseconds. Its run time does not count. */
  readonly maxWaitMs: number
}

type Waiting = { readonly start: () => void; readonly timer: NodeJS.Timeout }

/** Value of `retry_after` in refusals, in seconds. */
const RETRY_AFTER_S = 5

/**
 * Runs tasks with a limit on how many run at once, in all and for each key (a site). Free slots go to the keys in rotation, so a key with
 * many waiting tasks delays other keys by one task at most. A task must not wait for another task of the same queue.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  /** What waits, by key. The key that was served last comes last. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #running = new Map<string, number>()
  #runningInAll = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /**
   * Runs a task as soon as its key has a free slot.
   * @throws AppError `service_busy` if too many tasks of the key wait, or the task waited too long; and errors of the task
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    await this.#enter(key)
    try {
      return await task()
    } finally {
      this.#leave(key)
    }
  }

  /** Number of waiting tasks that would run if more tasks could run at once. Tasks that wait for others of their key do not count. */
  get withoutSlot(): number {
    if (this.#runningInAll < this.#options.concurrency) return 0
    let count = 0
    for (const [key, { length }] of this.#waiting)
      count += Math.min(length, Math.max(0, this.#limitOf(key) - (this.#running.get(key) ?? 0)))
    return count
  }

  #enter(key: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(key) ?? []
    if (waiting.length === 0 && this.#hasSlot(key)) {
      this.#occupy(key)
      return undefined
    }
    if (waiting.length >= this.#options.maxWaitingPerKey) throw this.#busy()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(key, task)
        reject(this.#busy())
      }, this.#options.maxWaitMs)
      const task: Waiting = { start: resolve, timer }
      waiting.push(task)
      this.#waiting.set(key, waiting)
    })
  }

  #leave(key: string): void {
    this.#runningInAll -= 1
    const running = (this.#running.get(key) ?? 0) - 1
    if (running > 0) this.#running.set(key, running)
    else this.#running.delete(key)
    this.#startNext()
  }

  #startNext(): void {
    for (const [key, [task]] of this.#waiting) {
      if (this.#runningInAll >= this.#options.concurrency) return
      if (task === undefined || !this.#hasSlot(key)) continue
      this.#remove(key, task)
      this.#occupy(key)
      clearTimeout(task.timer)
      task.start()
    }
  }

  #hasSlot(key: string): boolean {
    const { concurrency } = this.#options
    return this.#runningInAll < concurrency && (this.#running.get(key) ?? 0) < this.#limitOf(key)
  }

  #limitOf(key: string): number {
    const { concurrencyPerKey } = this.#options
    return typeof concurrencyPerKey === 'number' ? concurrencyPerKey : concurrencyPerKey(key)
  }

  #occupy(key: string): void {
    this.#runningInAll += 1
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
  }

  /** Removes a waiting task and moves its key behind the others. */
  #remove(key: string, task: Waiting): void {
    const others = (this.#waiting.get(key) ?? []).filter((other) => other !== task)
    this.#waiting.delete(key)
    if (others.length > 0) this.#waiting.set(key, others)
  }

  #busy(): AppError {
    return new AppError(
      'service_busy',
      `The service is busy: too many tasks wait for ${this.#options.resource}. Retry in a few seconds.`,
      { retry_after: RETRY_AFTER_S },
    )
  }
}
