import type { RequestHandler, Response } from 'express'
import type { Executor } from '../executor/executor.ts'

/**
 * How long the parts of one request took, in milliseconds, by their names; one may be inside another. They go from hand to hand: a store
 * that follows every promise (AsyncLocalStorage) would take a third of the time of a read.
 */
export class Timings {
  readonly #begun = performance.now()
  readonly #parts = new Map<string, number>()

  /** Runs `work` and adds what it took to a part. */
  async time<T>(part: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    try {
      return await work()
    } finally {
      const spent = performance.now() - begun
      this.#parts.set(part, (this.#parts.get(part) ?? 0) + spent)
    }
  }

  /** The same executor; what it builds is timed as `bake`. */
  over(executor: Executor): Executor {
    return {
      apply: (site, change) => this.time('bake', () => executor.apply(site, change)),
      render: (site, pageId) => executor.render(site, pageId),
    }
  }

  /** As the header `Server-Timing` has them, with what the whole took until now. */
  describe(): string {
    const entries = [...this.#parts, ['total', performance.now() - this.#begun] as const]
    return entries.map(([part, spent]) => `${part};dur=${spent.toFixed(1)}`).join(', ')
  }
}

/** Begins to measure every request. */
export function timeRequests(): RequestHandler {
  return (_request, response, next) => {
    response.locals.timings = new Timings()
    next()
  }
}

export function timingsOf(response: Response): Timings {
  return response.locals.timings
}
