import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { isMissingTable } from './database-error.ts'

/** Rows that the service keeps for a time. */
type Prunable = {
  /** For the log: `entries of the history`. */
  readonly rows: string
  /** Deletes the rows that are no longer kept. Ends early if the signal is aborted. Returns their number. */
  prune(signal: AbortSignal): Promise<number>
}

export type PrunerOptions = {
  readonly prunables: readonly Prunable[]
  readonly log: Log
  /** Pause between two rounds, in milliseconds [an hour]. */
  readonly intervalMs?: number
}

const INTERVAL_MS = 3_600_000

/** Deletes rows that are no longer kept, once an hour. Any number of processes may do so. */
export class Pruner {
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>

  constructor(options: PrunerOptions) {
    this.#running = this.#run(options)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #run({ prunables, log, intervalMs = INTERVAL_MS }: PrunerOptions): Promise<void> {
    const { signal } = this.#stopped
    // Processes that start together do not work together.
    await pause(Math.random() * intervalMs, signal)
    while (!signal.aborted) {
      for (const { rows, prune } of prunables) {
        try {
          const deleted = await prune(signal)
          if (deleted > 0) log.info({ deleted }, `deleted old ${rows}`)
        } catch (error) {
          if (!isMissingTable(error)) log.warn({ err: error }, `could not delete old ${rows}`)
        }
      }
      await pause(intervalMs, signal)
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
