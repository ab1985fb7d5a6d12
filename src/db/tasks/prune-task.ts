import type { Log } from '../../host/log.ts'
import type { Database } from '../database.ts'
import { isMissingTable } from '../database-error.ts'
import { runStatement } from '../sql.ts'
import type { NamedValues } from '../statement-text.ts'
import type { Task } from './task-runner.ts'
import { type TaskTables, tasksTable } from './tasks-table.ts'

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

/** Rows that are no longer kept. */
type OldRows = {
  readonly table: string
  /** Which rows, in SQL. */
  readonly where: string
  readonly values?: NamedValues
  /** Rows that one statement deletes [a thousand] */
  readonly atOnce?: number
}

/** Deletes rows in short statements. @returns their number */
export async function pruneRows(
  db: Database,
  { table, where, values = {}, atOnce = 1000 }: OldRows,
  signal: AbortSignal,
): Promise<number> {
  const text = `DELETE FROM :table: WHERE ${where} LIMIT :atOnce`
  let deleted = 0
  for (let step = atOnce; step === atOnce && !signal.aborted; deleted += step)
    step = await db.write({ isWork: true, isStatement: true }, async (tx) => {
      const { affectedRows } = await runStatement(tx, text, { ...values, table, atOnce })
      return affectedRows
    })
  return deleted
}

/** Deletes what killed processes have left of tasks that have a row only while somebody has them. @returns the number of rows */
export async function pruneTasks(
  db: Database,
  tables: TaskTables,
  names: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const days = db.timings.tasks.leftoverDays
  const where = 'name LIKE :name AND due_at < NOW(6) - INTERVAL :days DAY ORDER BY name'
  let deleted = 0
  for (const name of names)
    deleted += await pruneRows(
      db,
      { table: tasksTable(tables), where, values: { name, days } },
      signal,
    )
  return deleted
}
