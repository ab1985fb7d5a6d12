import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { isMissingTable } from '../db/database-error.ts'
import type { Log } from '../log.ts'
import type { HistorySite } from './history-row.ts'
import { pruneHistory, type Retention } from './prune-history.ts'

export type HistoryPrunerOptions = Retention & {
  readonly db: Database
  readonly globals: HistorySite['globals']
  readonly log: Log
  /** Pause between two rounds, in milliseconds [an hour]. */
  readonly intervalMs?: number
}

const INTERVAL_MS = 3_600_000

/** Deletes old entries of the history, once an hour. Any number of processes may do so. */
export class HistoryPruner {
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>

  constructor(options: HistoryPrunerOptions) {
    this.#running = this.#run(options)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #run({ db, globals, log, intervalMs = INTERVAL_MS, ...retention }: HistoryPrunerOptions) {
    const { signal } = this.#stopped
    // Processes that start together do not work together.
    await pause(Math.random() * intervalMs, signal)
    while (!signal.aborted) {
      try {
        const deleted = await pruneHistory(db, globals, retention, { now: new Date(), signal })
        if (deleted > 0) log.info({ deleted }, 'deleted old entries of the history')
      } catch (error) {
        if (!isMissingTable(error)) log.warn({ err: error }, 'could not prune the history')
      }
      await pause(intervalMs, signal)
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
