type Batch<Name, Result> = {
  readonly names: Set<Name>
  readonly result: Promise<Result>
}

/**
 * Combines reads: all reads of one tick of the event loop with the same key share one statement. One object per connection or pool, or per
 * object whose state the reads depend on.
 */
export class ReadBatches {
  // A key determines the types: see `read`.
  readonly #open = new Map<string, Batch<unknown, unknown>>()

  /**
   * @param key identifies what `read` reads, and its types: all calls with a key pass the same function
   * @param names names or ids, non-empty
   * @param read reads these in one statement
   * @returns the result for the names of all reads that share the statement
   */
  read<Name extends string | number, Result>(
    key: string,
    names: readonly Name[],
    read: (names: Name[]) => Promise<Result>,
  ): Promise<Result> {
    const open = this.#open.get(key) as Batch<Name, Result> | undefined
    const batch = open ?? this.#openBatch(key, read)
    for (const name of names) batch.names.add(name)
    return batch.result
  }

  #openBatch<Name extends string | number, Result>(
    key: string,
    read: (names: Name[]) => Promise<Result>,
  ): Batch<Name, Result> {
    const names = new Set<Name>()
    const result = afterCurrentTick().then(() => {
      this.#open.delete(key)
      return read([...names])
    })
    const batch = { names, result }
    this.#open.set(key, batch)
    return batch
  }
}

/** Resolves after the current microtasks, so that all reads of this tick share one statement. */
const afterCurrentTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
