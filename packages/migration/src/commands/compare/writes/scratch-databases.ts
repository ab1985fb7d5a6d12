import { randomBytes } from 'node:crypto'
import { CommandError } from '#wp-frames/cli/cli-context'
import { describeConnectionFailure } from '#wp-frames/db/connection-failure'
import { type Database, type DatabaseOptions, openDatabase } from '#wp-frames/db/database'
import { defineTables, readRow, readRows, runStatement } from '#wp-frames/db/sql'

/** The databases of a comparison of writes. */
export type ComparedDatabases = {
  /** The network. It is only read. */
  readonly source: Database
  /** The copy that the old endpoint works on. */
  readonly old: Database
  /** The copy that wp-frames works on. */
  readonly ours: Database
  close(): Promise<void>
}

type DatabaseUrls = { readonly source: string; readonly old: string; readonly ours: string }

/** The table that marks a database as one that this command fills. */
export const MARKER = 'wp_frames_compare_scratch'
const POOL_SIZE = 4

/**
 * Opens the databases. Before anything is written, it checks that the scratch databases are neither the network's nor the same, and hold nothing
 * but what an earlier comparison has put there.
 * @throws CommandError
 */
export async function openComparedDatabases(
  { source, old, ours }: DatabaseUrls,
  options: Pick<DatabaseOptions, 'log' | 'isBatched' | 'timings'>,
): Promise<ComparedDatabases> {
  const open = (url: string): Database => openDatabase({ ...options, url, poolSize: POOL_SIZE })
  const databases = { source: open(source), old: open(old), ours: open(ours) }
  const close = async (): Promise<void> => {
    await Promise.all(Object.values(databases).map((db) => db.close()))
  }
  try {
    await assertScratch(databases)
    return { ...databases, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws CommandError that names the option of the database */
async function assertReachable(option: string, db: Database): Promise<void> {
  await db.ping().catch((error) => {
    const { message } = describeConnectionFailure(error)
    throw new CommandError(
      `${option} (${db.address}): ${message} Check the address, its user and its password.`,
    )
  })
}

async function assertScratch({
  source,
  old,
  ours,
}: Omit<ComparedDatabases, 'close'>): Promise<void> {
  const scratch = [
    ['--old-database', old],
    ['--new-database', ours],
  ] as const
  for (const [option, db] of [['DATABASE_URL', source] as const, ...scratch])
    await assertReachable(option, db)
  for (const [option, db] of scratch)
    if (await isSameDatabase(db, source))
      throw new CommandError(
        `${option} is the database of the network (${db.address}). Create an empty database, and name it instead: nothing was written.`,
      )
  if (await isSameDatabase(old, ours))
    throw new CommandError(
      `--old-database and --new-database are the same database (${old.address}). Create two: nothing was written.`,
    )
  for (const [option, db] of scratch) {
    const tables = await listTables(db)
    if (tables.length > 0 && !tables.includes(MARKER))
      throw new CommandError(
        `${option} (${db.address}) holds ${tables.length} tables that this command did not create, such as ${tables[0]}. It may be a network that is in use. Name an empty database: nothing was written.`,
      )
  }
}

/**
 * Whether both are one database, however their addresses are written: a lock of one connection is seen by the other only on the same server.
 * The nodes of a cluster have locks of their own; there the tables show it.
 */
async function isSameDatabase(one: Database, other: Database): Promise<boolean> {
  const [a, b] = await Promise.all([databaseName(one), databaseName(other)])
  if (a.toLowerCase() !== b.toLowerCase()) return false
  const lock = `wp-frames ${randomBytes(8).toString('hex')}`
  return one.snapshot(async (locking) => {
    await readRows(locking, 'SELECT GET_LOCK(:lock, 0)', { lock })
    try {
      const row = await readRow<{ connection: number | null }>(
        other,
        'SELECT IS_USED_LOCK(:lock) AS connection',
        { lock },
      )
      return row?.connection !== null
    } finally {
      await readRows(locking, 'SELECT RELEASE_LOCK(:lock)', { lock })
    }
  })
}

async function databaseName(db: Database): Promise<string> {
  const row = await readRow<{ name: string }>(db, 'SELECT DATABASE() AS name', {})
  return String(row?.name)
}

/** Names of the base tables of a database. */
export async function listTables(db: Database): Promise<string[]> {
  const rows = await readRows<object>(db, "SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'", {})
  return rows.map((row) => String(Object.values(row)[0]))
}

/** Marks a database, so that a later comparison may replace its tables. */
export async function markScratch(db: Database, source: string): Promise<void> {
  const values = { marker: MARKER, source }
  await defineTables(
    db,
    'CREATE TABLE IF NOT EXISTS :marker: (source varchar(500) NOT NULL, filled_at datetime NOT NULL)',
    values,
  )
  await db.write({}, (tx) =>
    runStatement(tx, 'INSERT INTO :marker: VALUES (:source, UTC_TIMESTAMP())', values),
  )
}
