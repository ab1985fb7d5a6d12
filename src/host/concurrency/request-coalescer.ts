/**
 * Runs concurrent identical reads once. A read that has started accepts no further callers: later callers wait for the next read. So a result
 * is never older than the call, whatever was written meanwhile.
 */
export class RequestCoalescer {
  /** Reads that have not started. */
  readonly #waiting = new Map<string, Promise<unknown>>()
  readonly #running = new Map<string, Promise<unknown>>()

  /**
   * Returns the result or error of `read` to all callers with this key. It starts at the end of this iteration of the event loop, or when the
   * read in progress has ended.
   * @param key contains everything that the result depends on, except stored data
   */
  run<T>(key: string, read: () => Promise<T>): Promise<T> {
    const shared = this.#waiting.get(key) ?? this.#start(key, read)
    this.#waiting.set(key, shared)
    return shared as Promise<T>
  }

  async #start<T>(key: string, read: () => Promise<T>): Promise<T> {
    await (this.#running.get(key) ?? nextMacrotask()).catch(() => undefined)
    this.#waiting.delete(key)
    const running = read()
    this.#running.set(key, running)
    try {
      return await running
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key)
    }
  }
}

const nextMacrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
