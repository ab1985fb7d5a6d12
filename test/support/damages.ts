import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import type { SqlDatabase } from './open-database.ts'

/** What can be wrong with one table of one site. */
export type Damage = {
  readonly name: string
  /** Whether the table can still be read. */
  readonly isReadable: boolean
  /** Replaces the table by something damaged. Its rows are in the other one. @param column a column that the table needs */
  readonly put: (db: SqlDatabase, table: string, rows: string, column: string) => Promise<unknown>
}

const SLOW_SECONDS = 30

const createCopy = async (db: SqlDatabase, table: string, rows: string): Promise<void> => {
  await db.sql.raw('CREATE TABLE ?? LIKE ??', [table, rows])
  await db.sql.raw('INSERT INTO ?? SELECT * FROM ??', [table, rows])
}

const createMyIsamCopy = async (db: SqlDatabase, table: string, rows: string): Promise<void> => {
  await createCopy(db, table, rows)
  await db.sql.raw('ALTER TABLE ?? ENGINE = MyISAM', [table])
}

export const DAMAGES: readonly Damage[] = [
  { name: 'a table that is missing', isReadable: false, put: async () => {} },
  {
    name: 'a column that is missing',
    isReadable: false,
    put: async (db, table, rows, column) => {
      await createCopy(db, table, rows)
      await db.sql.raw('ALTER TABLE ?? DROP COLUMN ??', [table, column])
    },
  },
  {
    name: 'a MyISAM table that has crashed',
    isReadable: false,
    put: async (db, table, rows) => {
      await createMyIsamCopy(db, table, rows)
      await db.sql.raw('FLUSH TABLES ??', [table])
      const [[{ folder, name }]] = await db.sql.raw(
        'SELECT @@datadir AS folder, DATABASE() AS name',
      )
      await truncate(join(folder, name, `${table}.MYI`), 100).catch(() =>
        replaceByBrokenView(db, table),
      )
    },
  },
  { name: 'a table with another engine', isReadable: true, put: createMyIsamCopy },
  {
    name: `a table that takes ${SLOW_SECONDS} seconds`,
    isReadable: false,
    put: (db, table, rows) =>
      db.sql.raw(`CREATE VIEW ?? AS SELECT * FROM ?? WHERE SLEEP(${SLOW_SECONDS}) = 0`, [
        table,
        rows,
      ]),
  },
]

/** @throws Error if there is no such damage */
export function damageOf(name: string): Damage {
  const damage = DAMAGES.find((one) => one.name === name)
  if (damage) return damage
  throw new Error(`no damage "${name}"`)
}

/** On a server whose files cannot be reached. A view of a table that was dropped gives an error on each read, too. */
async function replaceByBrokenView(db: SqlDatabase, table: string): Promise<void> {
  const base = `${table}_base`
  await db.sql.raw('RENAME TABLE ?? TO ??', [table, base])
  await db.sql.raw('CREATE VIEW ?? AS SELECT * FROM ??', [table, base])
  await db.sql.raw('DROP TABLE ??', [base])
}

/** Ends slow statements whose client has given up: they have the table locked. */
async function endSlowStatements(db: SqlDatabase): Promise<void> {
  const [statements] = await db.sql.raw(
    "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND state = 'User sleep'",
  )
  for (const { id } of statements) await db.sql.raw('KILL ?', [id]).catch(() => {})
}

/**
 * Damages a table. A statement that its client has given up may have it locked for longer than a statement waits: each step is tried again.
 * @returns repairs it
 * @throws what the last try threw; the table is as it was
 */
export async function damageTable(
  db: SqlDatabase,
  { put }: Damage,
  table: string,
  column: string,
): Promise<() => Promise<void>> {
  const rows = `${table}_rows`
  const drop = async () => {
    await endSlowStatements(db)
    await db.sql.raw('DROP VIEW IF EXISTS ??', [table])
    await db.sql.raw('DROP TABLE IF EXISTS ??', [table])
  }
  const repair = () =>
    eventually(async () => {
      await drop()
      await db.sql.raw('RENAME TABLE ?? TO ??', [rows, table])
    })
  await eventually(() => db.sql.raw('RENAME TABLE ?? TO ??', [table, rows]))
  try {
    await eventually(async () => {
      await drop()
      await put(db, table, rows, column)
    })
  } catch (error) {
    await repair()
    throw error
  }
  return repair
}
