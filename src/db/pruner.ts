import { BackgroundLoop } from '../concurrency/background-loop.ts'
import type { Log } from '../log.ts'
import { isMissingTable } from './database-error.ts'

/** Rows that the service keeps for a time. */
export type Prunable = {
  /** For the log: `entries of the history`. */
  readonly rows: string
  /** Deletes the rows that are no longer kept. Ends early if the signal is aborted. Returns their number. */
  prune(signal: AbortSignal): Promise<number>
}

export type PrunerOptions = {
  readonly prunables: readonly Prunable[]
  readonly log: Log
  /** Pause between two rounds, in milliseconds. */
  readonly intervalMs: number
}

/** Deletes rows that are no longer kept, again and again. Any number of processes may do so. */
export class Pruner {
  readonly #loop: BackgroundLoop

  constructor({ prunables, log, intervalMs }: PrunerOptions) {
    const prune = async (signal: AbortSignal): Promise<number> => {
      for (const { rows, prune } of prunables) {
        try {
          const deleted = await prune(signal)
          if (deleted > 0) log.info({ deleted }, `deleted old ${rows}`)
        } catch (error) {
          if (!isMissingTable(error)) log.warn({ err: error }, `could not delete old ${rows}`)
        }
      }
      return intervalMs
    }
    // Processes that start together do not work together.
    this.#loop = new BackgroundLoop(prune, Math.random() * intervalMs)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }
}
