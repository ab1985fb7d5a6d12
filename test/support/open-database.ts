import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { TableKnowledge } from '../../src/wordpress/health/table-knowledge.ts'
import { FAST, type TimingChanges, withTimings } from './timings.ts'

/** The setting of the run: with `DB_BATCH=0` all tests send statements one by one. */
const { DB_BATCH } = process.env

/** What processes that tests start get in their environment. */
export const batchSetting: Readonly<Record<string, string>> =
  DB_BATCH === undefined ? {} : { DB_BATCH }

/** Opens a database as the service does, with the setting of the run. */
export function openTestDatabase({
  timings = {},
  ...options
}: Omit<DatabaseOptions, 'timings'> & { readonly timings?: TimingChanges }): Database {
  const isBatched = DB_BATCH !== '0'
  return openDatabase({
    isBatched,
    knowTables: (db) => new TableKnowledge(db),
    ...options,
    timings: withTimings(timings, FAST),
  })
}

/** Connections of all pools of a process, and what waits for one. */
export function connectionsOf(db: Database): { used: number; free: number; waiting: number } {
  const sum = { used: 0, free: 0, waiting: 0 }
  for (const { used, free, waiting } of Object.values(db.pools())) {
    sum.used += used
    sum.free += free
    sum.waiting += waiting
  }
  return sum
}
