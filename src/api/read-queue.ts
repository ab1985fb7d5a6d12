import { FairQueue } from '../concurrency/fair-queue.ts'

/** Reads of one site that run at the same time in a process. */
export const MAX_RUNNING_READS = 6
/** The same for a site whose last read was long: several long answers that are made at once would keep all other requests waiting. */
export const MAX_RUNNING_LONG_READS = 1
/** A read that takes longer is a long one, in milliseconds. */
const LONG_READ_MS = 50
/** Reads of one site that may wait. */
export const MAX_WAITING_READS = 100
/** Longest wait of a read, in milliseconds. */
export const MAX_READ_WAIT_MS = 10_000

/** The reads of the API. Those of one site wait for one another, so that they never take all connections, or the thread, from other sites. */
export class ReadQueue {
  readonly #queue = new FairQueue({
    resource: 'reads of this site',
    concurrency: Number.POSITIVE_INFINITY,
    concurrencyPerKey: (site) =>
      this.#quickSites.has(site) ? MAX_RUNNING_READS : MAX_RUNNING_LONG_READS,
    maxWaitingPerKey: MAX_WAITING_READS,
    maxWaitMs: MAX_READ_WAIT_MS,
  })
  /** Sites whose last read was short. */
  readonly #quickSites = new Set<string>()

  /** @throws AppError `service_busy`, and what the read throws */
  run<T>(blogId: number, read: () => Promise<T>): Promise<T> {
    const site = String(blogId)
    return this.#queue.run(site, async () => {
      const begin = performance.now()
      try {
        return await read()
      } finally {
        if (performance.now() - begin > LONG_READ_MS) this.#quickSites.delete(site)
        else this.#quickSites.add(site)
      }
    })
  }
}
