import { setTimeout as sleep } from 'node:timers/promises'

/** A preview has stopped because a writer of its site waits. It begins again after the writer. */
export class GaveWayError extends Error {}

type SiteUse = {
  /** Writes that wait or run. */
  writes: number
  /** Stops a preview that runs. */
  readonly previews: Set<() => void>
  /** Waiting previews. */
  readonly waiting: (() => void)[]
}

/**
 * Lets the writers of a site in this process go before its previews, which hold the same locks for seconds: a preview that runs stops, and one that
 * begins waits.
 */
export class WritersFirst {
  readonly #maxWaitMs: number
  readonly #sites = new Map<number, SiteUse>()

  /** @param maxWaitMs how long a preview waits for writers before it gives way again */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
  }

  async write<T>(blogId: number, work: () => Promise<T>): Promise<T> {
    const use = this.#useOf(blogId)
    use.writes += 1
    for (const stop of use.previews) stop()
    try {
      return await work()
    } finally {
      use.writes -= 1
      if (use.writes === 0) for (const begin of use.waiting.splice(0)) begin()
      this.#forgetUnused(blogId, use)
    }
  }

  /** @throws GaveWayError if a writer came, or writers come all the time */
  async preview<T>(blogId: number, work: () => Promise<T>): Promise<T> {
    const before = this.#useOf(blogId)
    if (before.writes > 0)
      await Promise.race([
        new Promise<void>((begin) => before.waiting.push(begin)),
        sleep(this.#maxWaitMs, undefined, { ref: false }),
      ])
    // The last writer may have forgotten the entry that the preview waited in.
    const use = this.#useOf(blogId)
    if (use.writes > 0) throw new GaveWayError()
    let stop = (): void => {}
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new GaveWayError())
    })
    use.previews.add(stop)
    try {
      return await Promise.race([work(), stopped])
    } finally {
      use.previews.delete(stop)
      this.#forgetUnused(blogId, use)
    }
  }

  #useOf(blogId: number): SiteUse {
    const known = this.#sites.get(blogId)
    if (known) return known
    const use: SiteUse = { writes: 0, previews: new Set(), waiting: [] }
    this.#sites.set(blogId, use)
    return use
  }

  #forgetUnused(blogId: number, { writes, previews, waiting }: SiteUse): void {
    if (writes + previews.size + waiting.length === 0) this.#sites.delete(blogId)
  }
}
