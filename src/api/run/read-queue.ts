import { FairQueue } from '../../host/concurrency/fair-queue.ts'
import type { Timings } from '../../host/timings.ts'

/** Maximum number of concurrent reads of one site in a process. */
export const MAX_RUNNING_READS = 6
/** The same for a site whose last read was long: several long reads at the same time would delay all other requests. */
export const MAX_RUNNING_LONG_READS = 1
/** Maximum number of waiting reads of one site. */
export const MAX_WAITING_READS = 100

/** Queues the reads of the API by site, so that the reads of one site cannot use all connections or all time of the main thread. */
export class ReadQueue {
  readonly #timings: Timings['api']
  readonly #queue: FairQueue
  /** Sites whose last read was short. */
  readonly #quickSites = new Set<string>()

  constructor(timings: Timings['api']) {
    this.#timings = timings
    this.#queue = new FairQueue({
      resource: 'reads of this site',
      concurrency: Number.POSITIVE_INFINITY,
      concurrencyPerKey: (site) =>
        this.#quickSites.has(site) ? MAX_RUNNING_READS : MAX_RUNNING_LONG_READS,
      maxWaitingPerKey: MAX_WAITING_READS,
      maxWaitMs: timings.readWaitMs,
    })
  }

  /** @throws AppError `service_busy`, and what the read throws */
  run<T>(blogId: number, read: () => Promise<T>): Promise<T> {
    const site = String(blogId)
    return this.#queue.run(site, async () => {
      const begin = performance.now()
      try {
        return await read()
      } finally {
        if (performance.now() - begin > this.#timings.longReadMs) this.#quickSites.delete(site)
        else this.#quickSites.add(site)
      }
    })
  }
}
