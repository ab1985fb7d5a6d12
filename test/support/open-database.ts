import knex, { type Knex } from 'knex'
import { connectionSettings } from '../../src/db/connection.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import type { RawConnection } from '../../src/db/reply-timeout.ts'
import { prepareSession } from '../../src/db/session.ts'
import { createLog, type Log } from '../../src/host/log.ts'
import { TableKnowledge } from '../../src/wordpress/health/table-knowledge.ts'
import { FAST, type TimingChanges, withTimings } from './timings.ts'

/** The setting of the run: with `DB_BATCH=0` all tests send statements one by one. */
const { DB_BATCH } = process.env

/** What processes that tests start get in their environment. */
export const batchSetting: Readonly<Record<string, string>> =
  DB_BATCH === undefined ? {} : { DB_BATCH }

/** A database with a query builder for the test itself, which has connections of its own. */
export type SqlDatabase = Database & { readonly sql: Knex }

type TestDatabaseOptions = Partial<Omit<DatabaseOptions, 'timings'>> & {
  readonly url: string
  readonly timings?: TimingChanges
}

/** Opens a database as the service does, with the setting of the run: with one connection and without a log, unless the options say so. */
export function openTestDatabase({ timings = {}, ...options }: TestDatabaseOptions): SqlDatabase {
  const isBatched = DB_BATCH !== '0'
  return withBuilder(
    openDatabase({
      poolSize: 1,
      log: createLog('silent'),
      isBatched,
      knowTables: (db) => new TableKnowledge(db),
      ...options,
      timings: withTimings(timings, FAST),
    }),
    options.url,
  )
}

/** A database at an address at which no server listens. */
export const openUnreachable = (options: { readonly log?: Log } = {}): SqlDatabase =>
  openTestDatabase({ url: 'mysql://nobody@127.0.0.1:9/none', ...options })

/** Adds the query builder. */
export function withBuilder(db: Database, url: string): SqlDatabase {
  const { timings } = db
  const sql = knex({
    client: 'mysql2',
    connection: connectionSettings(url) as Knex.MySql2ConnectionConfig,
    pool: {
      min: 0,
      max: 8,
      afterCreate: (connection: RawConnection, done: (error: unknown) => void): void => {
        prepareSession(connection, { timings, statements: 'single' }).then(() => done(null), done)
      },
    },
    log: { warn: () => {}, error: () => {} },
  })
  const close = async (): Promise<void> => {
    await Promise.all([db.close(), sql.destroy()])
  }
  return { ...db, sql, close }
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
