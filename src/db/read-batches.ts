type Batch = {
  readonly names: Set<string>
  readonly results: Promise<ReadonlyMap<string, string>>
}

/** Reads these names in one statement; missing names are not in the result. */
export type ReadNames = (names: string[]) => Promise<ReadonlyMap<string, string>>

/** Combines reads: all reads of one tick of the event loop with the same key share one statement. One object per connection or pool. */
export class ReadBatches {
  readonly #open = new Map<string, Batch>()

  /**
   * @param key identifies the table and the columns that `read` reads
   * @returns the values of these names, without missing names
   */
  async read(key: string, names: readonly string[], read: ReadNames): Promise<Map<string, string>> {
    const batch = this.#open.get(key) ?? this.#openBatch(key, read)
    for (const name of names) batch.names.add(name)
    const results = await batch.results
    const found = new Map<string, string>()
    for (const name of names) {
      const value = results.get(name)
      if (value !== undefined) found.set(name, value)
    }
    return found
  }

  #openBatch(key: string, read: ReadNames): Batch {
    const names = new Set<string>()
    const results = afterCurrentTick().then(() => {
      this.#open.delete(key)
      return read([...names])
    })
    const batch = { names, results }
    this.#open.set(key, batch)
    return batch
  }
}

/** Resolves after the current microtasks, so that all reads of this tick share one statement. */
const afterCurrentTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
