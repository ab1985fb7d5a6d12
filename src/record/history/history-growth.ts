import type { Log } from '../../host/log.ts'

export type HistoryGrowthOptions = {
  /** Limit for the history of a site, in bytes. */
  readonly bytesPerSite: number
  /** Deletes what is beyond the limit. */
  readonly prune: (blogId: number) => Promise<number>
  readonly log: Log
}

/** The part of its limit by which a history grows before it is pruned again. Finding out its size reads all of its index. */
const PART = 8

/**
 * Prunes the history of a site while it grows: one token can write gigabytes within the hour between two rounds of the pruner. So the history of a site
 * exceeds its limit by an eighth at most, for each process that writes.
 */
export class HistoryGrowth {
  readonly #options: HistoryGrowthOptions
  /** Bytes since the last pruning, by site. */
  readonly #grown = new Map<number, number>()
  readonly #pruning = new Map<number, Promise<void>>()

  constructor(options: HistoryGrowthOptions) {
    this.#options = options
  }

  /** Counts what a write has added. */
  add(blogId: number, bytes: number): void {
    const grown = (this.#grown.get(blogId) ?? 0) + bytes
    this.#grown.set(blogId, grown)
    if (grown < this.#options.bytesPerSite / PART || this.#pruning.has(blogId)) return
    this.#grown.delete(blogId)
    this.#pruning.set(blogId, this.#prune(blogId))
  }

  /** Waits until nothing is pruned. */
  async settled(): Promise<void> {
    await Promise.all(this.#pruning.values())
  }

  async #prune(blogId: number): Promise<void> {
    const { prune, log } = this.#options
    try {
      const deleted = await prune(blogId)
      if (deleted > 0) log.info({ blogId, deleted }, 'deleted old entries of the history')
    } catch (error) {
      log.warn({ err: error, blogId }, 'could not delete old entries of the history')
    } finally {
      this.#pruning.delete(blogId)
    }
  }
}
