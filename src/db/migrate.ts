import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './database.ts'
import {
  isAlreadyChanged,
  isMissingTable,
  isRetryable,
  isStatementTimeout,
} from './database-error.ts'
import { defineTables, readRows } from './sql.ts'
import type { NamedValues } from './statement-text.ts'

/** The numbered files of `sql/migrations`. Each is applied once, in order. */
const FOLDER = resolve(import.meta.dirname, '../../sql/migrations')

type MigrationRow = { name: string }

export const migrationsTable = (prefix: string): string => `${prefix}svc_migrations`

/** The file names of the migrations that are not applied to this database yet. Never writes. */
export async function pendingMigrations(db: Db, prefix: string): Promise<string[]> {
  const applied = new Set(await appliedMigrations(db, prefix))
  return migrationFiles().filter((name) => !applied.has(name))
}

/** The end of the names of migrations after which programs that do not know them must not run. */
const INCOMPATIBLE = '-incompatible.sql'

/** The applied migrations of a newer version of this program. */
export type NewerMigrations = {
  /** This program can work with the tables as they are after these. */
  readonly tolerated: readonly string[]
  /** It must not run after these. */
  readonly incompatible: readonly string[]
}

/** Finds the applied migrations that this program does not know. Their names say whether it may run: see `sql/migrations`. */
export async function findNewerMigrations(db: Db, prefix: string): Promise<NewerMigrations> {
  const known = new Set(migrationFiles())
  const newer = (await appliedMigrations(db, prefix)).filter((name) => !known.has(name)).sort()
  const isIncompatible = (name: string) => name.endsWith(INCOMPATIBLE)
  return {
    tolerated: newer.filter((name) => !isIncompatible(name)),
    incompatible: newer.filter(isIncompatible),
  }
}

/** Says that a program must not run after some migrations, and what to do. */
export const describeIncompatible = (names: readonly string[]): string =>
  `A newer version of wp-frames has changed its tables (${names.join(', ')}) so that this version cannot work with them. Install that version or a later one.`

/**
 * Creates the service's own tables under the base prefix. Safe to repeat and to run in several processes at once: every statement of a
 * migration can be repeated, and a file is recorded as applied after its last statement.
 * @returns the names of the files applied now
 */
export async function migrate(db: Db, prefix: string): Promise<string[]> {
  await change(
    db,
    `CREATE TABLE IF NOT EXISTS :migrations: (
      name varchar(100) CHARACTER SET ascii NOT NULL PRIMARY KEY,
      applied_at datetime NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`,
    { migrations: migrationsTable(prefix) },
  )
  const pending = await pendingMigrations(db, prefix)
  for (const name of pending) await apply(db, prefix, name)
  return pending
}

/** A process that meets another one runs a statement or a file so many times. */
const MAX_RUNS = 10

/** Processes that met each other go on at different times. */
const pause = (db: Db, run: number): Promise<void> =>
  sleep(Math.random() * db.timings.db.retryPauseMs * 2 ** (run - 1))

async function apply(db: Db, prefix: string, name: string): Promise<void> {
  for (let run = 1; ; run += 1) {
    try {
      for (const statement of statementsOf(name, prefix)) await change(db, statement)
      await change(db, 'INSERT IGNORE INTO :migrations: VALUES (:name, UTC_TIMESTAMP())', {
        migrations: migrationsTable(prefix),
        name,
      })
      return
    } catch (error) {
      // Another process that does the same has deleted a table meanwhile.
      if (!isMissingTable(error) || run === MAX_RUNS) throw error
      if (!(await pendingMigrations(db, prefix)).includes(name)) return
      await pause(db, run)
    }
  }
}

/**
 * Runs a statement of a migration. MySQL has no `ADD COLUMN IF NOT EXISTS` and no `ADD KEY IF NOT EXISTS`; and its statements that create tables can
 * meet in a deadlock when several processes start together: the server ends one of them, which runs again.
 */
async function change(db: Db, statement: string, values: NamedValues = {}): Promise<void> {
  for (let run = 1; ; run += 1) {
    try {
      await defineTables(db, statement, values)
      return
    } catch (error) {
      if (isAlreadyChanged(error)) return
      const hasWaited = isStatementTimeout(error)
      if (!isRetryable(error) || hasWaited || run === MAX_RUNS) throw error
      await pause(db, run)
    }
  }
}

async function appliedMigrations(db: Db, prefix: string): Promise<string[]> {
  try {
    const rows = await readRows<MigrationRow>(db, 'SELECT name FROM :migrations:', {
      migrations: migrationsTable(prefix),
    })
    return rows.map((row) => row.name)
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}

const migrationFiles = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()

/** The statements of a file: each ends with a semicolon at the end of a line. `{prefix}` is replaced with the base prefix. */
const statementsOf = (name: string, prefix: string): string[] =>
  readFileSync(join(FOLDER, name), 'utf8')
    .replaceAll('{prefix}', prefix)
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
