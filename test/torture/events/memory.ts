import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../support/tally.ts'
import type { Figures } from '../trial.ts'

/** Between two measurements, in milliseconds. */
const PAUSE_MS = 500
/** Allowed growth from the second fifth to the last, as in the soak. */
const MAX_GROWTH = { megabytes: 40, share: 1.25 }
/** A shorter run is only a warm-up. */
const TELLING_MS = 120_000
const PARTS = 5

/** The memory of a process over time. */
export class Memory {
  readonly #pid: number
  readonly #megabytes: number[] = []

  constructor(pid: number) {
    this.#pid = pid
  }

  /** Measures until the signal. */
  async measure(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const status = await readFile(`/proc/${this.#pid}/status`, 'utf8')
      this.#megabytes.push(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }

  figures(): Figures {
    return { 'memory in each fifth of the time': `${this.#fifths().join(', ')} MB` }
  }

  /** A sentence if it grew. */
  faults(): string[] {
    if (this.#megabytes.length * PAUSE_MS < TELLING_MS) return []
    const [, before = 0, , , after = 0] = this.#fifths()
    const isMore = after > before + MAX_GROWTH.megabytes && after > before * MAX_GROWTH.share
    return isMore ? [`memory grew from ${before} to ${after} MB`] : []
  }

  /** The median of each fifth. */
  #fifths(): number[] {
    const { length } = this.#megabytes
    return Array.from({ length: PARTS }, (_, part) => {
      const [from, to] = [part, part + 1].map((at) => Math.floor((at * length) / PARTS))
      return Math.round(quantile(this.#megabytes.slice(from, to), 0.5))
    })
  }
}
