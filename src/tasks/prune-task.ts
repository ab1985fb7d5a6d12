import { isMissingTable } from '../db/database-error.ts'
import type { Log } from '../log.ts'
import type { Task } from './task-runner.ts'

/** Rows that the service keeps for a time. */
export type Prunable = {
  /** For the log: `entries of the history`. */
  readonly rows: string
  /** Deletes the rows that are no longer kept. Ends early if the signal is aborted. Returns their number. */
  prune(signal: AbortSignal): Promise<number>
}

export type PruneTaskOptions = {
  readonly prunables: readonly Prunable[]
  readonly log: Log
  /** Pause between two rounds, in milliseconds. */
  readonly intervalMs: number
}

/** Deletes rows that are no longer kept. Those that cannot be deleted do not keep the others. */
export function pruneTask({ prunables, log, intervalMs }: PruneTaskOptions): Task {
  return {
    name: 'prune',
    failure: 'deleting old rows failed',
    run: async (_, signal) => {
      for (const { rows, prune } of prunables) {
        if (signal.aborted) break
        try {
          const deleted = await prune(signal)
          if (deleted > 0) log.info({ deleted }, `deleted old ${rows}`)
        } catch (error) {
          if (!isMissingTable(error)) log.warn({ err: error }, `could not delete old ${rows}`)
        }
      }
      return { dueInMs: intervalMs }
    },
  }
}
