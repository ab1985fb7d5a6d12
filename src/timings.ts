import { AsyncLocalStorage } from 'node:async_hooks'

/** How long the parts of one request took, in milliseconds, by their names; parts may run at once, and one inside another. */
export class Timings {
  readonly #begun = performance.now()
  readonly #parts = new Map<string, number>()

  add(part: string, milliseconds: number): void {
    this.#parts.set(part, (this.#parts.get(part) ?? 0) + milliseconds)
  }

  /** As the header `Server-Timing` has them, with what the whole took until now. */
  describe(): string {
    const entries = [...this.#parts, ['total', performance.now() - this.#begun] as const]
    return entries.map(([part, spent]) => `${part};dur=${spent.toFixed(1)}`).join(', ')
  }
}

const running = new AsyncLocalStorage<Timings>()

/** Runs `work`, whatever it awaits included, with timings of its own. */
export function withTimings<T>(work: () => T): T {
  return running.run(new Timings(), work)
}

/** The timings of whatever runs; undefined where nobody asked for any. */
export function currentTimings(): Timings | undefined {
  return running.getStore()
}

/** Runs `work` and adds what it took to a part of the current timings. */
export async function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
  const timings = currentTimings()
  if (!timings) return work()
  const begun = performance.now()
  try {
    return await work()
  } finally {
    timings.add(part, performance.now() - begun)
  }
}
