/**
 * Reads that several wait for at the same time, done once for all of them. Nobody is given what was read before they asked: a read that has
 * begun takes no one on, and whoever comes later waits for the next. So nothing here is ever older than the question, whoever wrote meanwhile.
 */
export class RequestCoalescer {
  /** Those that have not begun. */
  readonly #waiting = new Map<string, Promise<unknown>>()
  readonly #running = new Map<string, Promise<unknown>>()

  /**
   * What `read` gives, or throws, for all who ask with this key before it begins: at the end of this turn of the event loop, or when the
   * one that runs has ended.
   * @param key says all that the outcome depends on, beside what is stored
   */
  run<T>(key: string, read: () => Promise<T>): Promise<T> {
    const held = this.#waiting.get(key) ?? this.#begin(key, read)
    this.#waiting.set(key, held)
    return held as Promise<T>
  }

  async #begin<T>(key: string, read: () => Promise<T>): Promise<T> {
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
