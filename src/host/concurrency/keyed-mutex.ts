/** Serializes work by key, in the order of the calls. */
export class KeyedMutex {
  readonly #running = new Map<string, Promise<unknown>>()

  /** Runs `work` after all earlier work with the same key has ended, whether it succeeded or failed. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#running.get(key)
    const current = before === undefined ? work() : before.then(work, work)
    this.#running.set(key, current)
    try {
      return await current
    } finally {
      if (this.#running.get(key) === current) this.#running.delete(key)
    }
  }
}
