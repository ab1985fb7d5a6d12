import type { RequestHandler, Response } from 'express'
import type { Executor } from '../build/executor/executor.ts'

/**
 * The duration of each named part of one request, in milliseconds; parts may overlap. They are passed as an argument: with AsyncLocalStorage a
 * read was 33 % slower.
 */
export class ServerTiming {
  readonly #startedAt = performance.now()
  readonly #parts = new Map<string, number>()

  /** Runs `work` and adds its duration to a part. */
  async time<T>(part: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      const duration = performance.now() - startedAt
      this.#parts.set(part, (this.#parts.get(part) ?? 0) + duration)
    }
  }

  /** The same executor; its builds are timed as `bake`. */
  measure(executor: Executor): Executor {
    const { within } = executor
    return {
      within:
        within &&
        ((tx, site, write) => {
          const build = within(tx, site, write)
          return build && ((change, graph) => this.time('bake', () => build(change, graph)))
        }),
      apply: (site, change) => this.time('bake', () => executor.apply(site, change)),
      rebake: (site, request) => this.time('bake', () => executor.rebake(site, request)),
      render: (site, page, within) => executor.render(site, page, within),
    }
  }

  /** The value of the header `Server-Timing`, with the total time until now. */
  describe(): string {
    const entries = [...this.#parts, ['total', performance.now() - this.#startedAt] as const]
    return entries.map(([part, duration]) => `${part};dur=${duration.toFixed(1)}`).join(', ')
  }
}

/** Starts the timings of every request. */
export function timeRequests(): RequestHandler {
  return (_request, response, next) => {
    response.locals.timings = new ServerTiming()
    next()
  }
}

export function timingsOf(response: Response): ServerTiming {
  return response.locals.timings
}
