import { AppError } from '../errors.ts'

export type FairQueueOptions = {
  /** What the tasks wait for, for the message of a refusal: `a thread that builds frames`. */
  readonly resource: string
  /** Tasks that run at the same time. */
  readonly concurrency: number
  /** Tasks of one key that run at the same time; a function where it may change. */
  readonly concurrencyPerKey: number | ((key: string) => number)
  /** Tasks of one key that may wait. */
  readonly maxWaitingPerKey: number
  /** Longest wait of a task, in milliseconds. The time that it runs does not count. */
  readonly maxWaitMs: number
}

type Task = { readonly start: () => void; readonly timer: NodeJS.Timeout }

/** Seconds after which a caller may try again. */
const RETRY_AFTER_S = 5

/**
 * Runs tasks with a limit on how many run at once, in all and for each key (a site). Free slots go to the keys in rotation, so a key with
 * many waiting tasks delays other keys by one task at most. A task must not wait for another task of the same queue.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  /** Tasks that wait, by key. The key that was served last is the last one. */
  readonly #waiting = new Map<string, Task[]>()
  readonly #running = new Map<string, number>()
  #runningInAll = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /**
   * Runs a task as soon as its key has a free slot.
   * @throws AppError `service_busy` where too many tasks of the key wait already, or the wait was too long; and what the task throws
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    await this.#enter(key)
    try {
      return await task()
    } finally {
      this.#leave(key)
    }
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
      const task: Task = { start: resolve, timer }
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
    const { concurrency, concurrencyPerKey } = this.#options
    const limit = typeof concurrencyPerKey === 'number' ? concurrencyPerKey : concurrencyPerKey(key)
    return this.#runningInAll < concurrency && (this.#running.get(key) ?? 0) < limit
  }

  #occupy(key: string): void {
    this.#runningInAll += 1
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
  }

  /** Takes a waiting task out and puts its key behind the others. */
  #remove(key: string, task: Task): void {
    const others = (this.#waiting.get(key) ?? []).filter((other) => other !== task)
    this.#waiting.delete(key)
    if (others.length > 0) this.#waiting.set(key, others)
  }

  #busy(): AppError {
    return new AppError(
      'service_busy',
      `The service is busy: too much other work waits for ${this.#options.resource}. Try again in a few seconds.`,
      { retry_after: RETRY_AFTER_S },
    )
  }
}
