import knex, { type Knex } from 'knex'
import { FairQueue } from '../host/concurrency/fair-queue.ts'
import type { Log } from '../host/log.ts'
import type { Timings } from '../host/timings.ts'
import { inSpan } from '../host/trace.ts'
import { addressOf, connectionSettings, mySqlClient } from './connection.ts'
import { BackslashModeError } from './database-error.ts'
import { ReadBatches } from './read-batches.ts'
import { createReadCache, notingEntries, type ReadCache } from './read-cache.ts'
import { BACKSLASH_MODE, prepareSession, type SessionSettings } from './session.ts'
import type { RawConnection } from './statement-queue.ts'
import {
  type Author,
  type OnGrowth,
  type OnInvalidate,
  runTransaction,
  type Tx,
  type WriteOptions,
} from './transaction.ts'
import { type ValidatedRead, ValidatedReads } from './validated-reads.ts'
import { WritersFirst } from './writers-first.ts'
import {
  type ImplicitValues,
  NO_IMPLICIT_VALUES,
  type SiteTableNames,
  type WrittenTables,
  writeChecked,
} from './written-tables.ts'

/** The argument of reads: a pool, a snapshot or a transaction. */
export type Db = {
  readonly sql: Knex
  /** Every interval and time limit of the service. */
  readonly timings: Timings
  readonly cache: ReadCache
  readonly batches: ReadBatches
}

/** Creates the `Db` of a connection or pool. */
export function createDb(sql: Knex, { cache, timings }: Pick<Db, 'cache' | 'timings'>): Db {
  return { sql, timings, cache, batches: new ReadBatches() }
}

/** The connection pool of one process. */
export type Database = Db & {
  /** Runs `work` in one transaction, or as a dry run; see `runTransaction` for retries, effects after commit, and the queue of each site. */
  write<T>(options: WriteOptions, work: (tx: Tx) => T | Promise<T>): Promise<T>
  /** Runs reads that all see the database as it is at the first of them, even if others write meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs reads: those that run at the same time share a connection, and travel together if they begin together. */
  together<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * The result of a read, kept from an earlier one if the database confirms that it would be the same now; see `ValidatedReads`.
   * @param key contains everything that the result depends on, except stored data
   * @param sizeOf the size of a result, in bytes
   */
  validated<T extends object>(
    key: string,
    read: ValidatedRead<Database, T>,
    sizeOf: (result: T) => number,
  ): Promise<T>
  /** @throws AppError if the tables of the site must not be written, see `WrittenTables`: then what is read of them may be wrong too */
  assertWritable(site: SiteTableNames): Promise<void>
  /** Where the database is, without account and password: `host:port/name`. */
  readonly address: string
  /** Resolves if the database answers and transactions can use it. */
  ping(): Promise<void>
  /** The connections of this process, by what they are for. */
  pools(): Readonly<Record<string, PoolUse>>
  close(): Promise<void>
}

/** The same pool, for the writes of one author. */
export function writeAs(db: Database, author: Author): Database {
  return { ...db, write: (options, work) => db.write({ author, ...options }, work) }
}

/**
 * A database whose reads and writes are part of an open transaction, for code that opens its own. Its reads see what the transaction has written, and its
 * effects follow the commit of the transaction. It may run again if the transaction is repeated.
 */
export function joinTransaction(db: Database, tx: Tx): Database {
  const joined: Database = {
    ...db,
    // With `local`, so that reads find the graph that the transaction has written.
    ...tx,
    write: async (_options, work) => {
      const result = await work(tx)
      // Its errors are those of this write, not of the next one.
      await tx.flush()
      return result
    },
    snapshot: (work) => work(joined),
    together: (work) => work(joined),
    validated: (_key, read) => read(joined, (value) => value),
  }
  return joined
}

/** Numbers of connections, the most that may be open, and of reads and transactions that wait for one. */
type PoolUse = {
  readonly used: number
  readonly free: number
  readonly limit: number
  readonly waiting: number
}

export type DatabaseOptions = {
  readonly url: string
  /** Maximum number of connections. */
  readonly poolSize: number
  readonly log: Log
  /** Receives the keys of the object cache that a transaction made stale, before its commit; see `Tx.invalidate`. */
  readonly onInvalidate?: OnInvalidate | undefined
  /** See `Tx.grow`. */
  readonly onGrowth?: OnGrowth | undefined
  readonly timings: Timings
  /** Knows the tables of sites, which it reads with this `Db` [every site can be written]. */
  readonly knowTables?: ((db: Db) => WrittenTables) | undefined
  /** Whether transactions send several statements in a packet [true]. A proxy between service and database may not take them. */
  readonly isBatched?: boolean | undefined
}

/** Maximum number of writers of one site (or of the shared tables) that wait for a connection. */
export const MAX_WAITING_WRITES = 100
/** Connections for the transactions of workers, besides those of the pool. */
export const MAX_WORK_CONNECTIONS = 4
/** Connections for previews, besides those of the pool. */
export const MAX_PREVIEWS = 2
/** Connections for snapshots, besides those of the pool: enough for the workers of a process (`Workers`) and the doctor. */
export const MAX_SNAPSHOTS = 4

/** Opens the pool. Connections are opened when they are first needed. */
export function openDatabase({
  url,
  poolSize,
  log,
  onInvalidate,
  onGrowth,
  timings,
  knowTables,
  isBatched = true,
}: DatabaseOptions): Database {
  const { lockWaitSeconds, idleWriteSeconds, idleWorkSeconds, writeWaitMs } = timings.db
  const common = { url, log, timings }
  const sql = openPool({ ...common, statements: 'single' }, poolSize)
  // Transactions have connections of their own, which take several statements in a packet.
  const settings = { ...common, statements: isBatched ? 'batched' : 'queued' } as const
  const maxWriters = Math.max(1, Math.floor(poolSize / 2))
  const writes = openPool({ ...settings, maxIdleSeconds: idleWriteSeconds }, maxWriters)
  // Its own connections: who reads together may write meanwhile.
  const together = openPool(settings, maxWriters)
  const sharing = new SharingBuilders(together)
  for (const pool of [writes, together])
    for (const event of ['query', 'query-response'])
      pool.on(event, (...args: unknown[]) => sql.emit(event, ...args))
  // Its own connections: a worker needs one of the pool for its writes while it reads a snapshot.
  const snapshots = openPool({ ...settings, isolation: 'REPEATABLE READ' }, MAX_SNAPSHOTS)
  // A worker that stops within a transaction must not lock the rows of the worker that takes over from it.
  const work = openPool({ ...settings, maxIdleSeconds: idleWorkSeconds }, MAX_WORK_CONNECTIONS)
  const previewLockWait = Math.min(lockWaitSeconds, timings.db.previewLockWaitSeconds)
  const preview = openPool(
    {
      ...settings,
      lockWaitSeconds: previewLockWait,
      maxStatementSeconds: timings.db.previewStatementSeconds,
    },
    MAX_PREVIEWS,
  )
  const cache = createReadCache()
  const own = { cache, timings }
  const scope = { ...own, log, onInvalidate, onGrowth, retryForMs: lockWaitSeconds * 1000 }
  const clients = { ...scope, sql: writes, writers: writeQueue(maxWriters, writeWaitMs) }
  const workers = { ...scope, sql: work, writers: writeQueue(MAX_WORK_CONNECTIONS, writeWaitMs) }
  const previews = {
    ...scope,
    sql: preview,
    writers: writeQueue(MAX_PREVIEWS, writeWaitMs),
    retryForMs: previewLockWait * 1000,
  }
  const writersFirst = new WritersFirst(previewLockWait * 1000)
  const write: Database['write'] = (options, work) => {
    const { site, isWork, storesCopies } = options
    const run = (implicit: ImplicitValues) =>
      isWork
        ? runTransaction(workers, options, implicit, work)
        : writeOfClient(options, implicit, work)
    const attributes = site && { 'wp_frames.site': site.blogId }
    const checked = () =>
      isWork && !storesCopies ? run(NO_IMPLICIT_VALUES) : writeChecked(tables, site, run)
    return isWork ? checked() : inSpan('write', { attributes }, checked)
  }
  const writeOfClient = <T>(
    options: WriteOptions,
    implicit: ImplicitValues,
    work: (tx: Tx) => T | Promise<T>,
  ): Promise<T> => {
    const { site, isPreview } = options
    if (!site) return runTransaction(isPreview ? previews : clients, options, implicit, work)
    if (isPreview)
      return runTransaction(previews, options, implicit, (tx) =>
        writersFirst.preview(site.blogId, async () => work(tx)),
      )
    return writersFirst.write(site.blogId, () => runTransaction(clients, options, implicit, work))
  }
  const tables = knowTables?.(createDb(sql, own))
  const database: Database = {
    ...createDb(sql, own),
    address: addressOf(url),
    validated: (key, read, sizeOf) => reads.run(key, read, sizeOf),
    write,
    assertWritable: async (site) => void (await tables?.check(site)),
    snapshot: (work) => runSnapshot(snapshots, (trx) => work(createDb(trx, own))),
    together: (work) => sharing.run((shared) => work(createDb(shared, own))),
    ping: async () => {
      const [[{ modes }]] = await sql.raw('SELECT @@GLOBAL.sql_mode AS modes')
      if (isBatched && modes.includes(BACKSLASH_MODE)) throw new BackslashModeError()
    },
    pools: () => ({
      reads: useOf(sql),
      writes: useOf(writes, clients.writers),
      together: useOf(together),
      snapshots: useOf(snapshots),
      work: useOf(work, workers.writers),
      previews: useOf(preview, previews.writers),
    }),
    close: async () => {
      await Promise.all(
        [sql, writes, together, snapshots, work, preview].map((pool) => pool.destroy()),
      )
    },
  }
  const reads = new ValidatedReads<Database>({
    sql,
    cache,
    recorded: (recording, markVolatile) => {
      const recorded: Database = {
        ...database,
        ...createDb(recording, {
          cache: notingEntries(cache, () => markVolatile(undefined)),
          timings,
        }),
        validated: (_key, read) => read(recorded, markVolatile),
        write: (options, work) => markVolatile(database.write(options, work)),
        snapshot: (work) => markVolatile(database.snapshot(work)),
        together: (work) => work(recorded),
      }
      return recorded
    },
  })
  return database
}

/** @param queue the transactions that use the pool: those beyond its size do not reach it */
function useOf({ client: { pool } }: Knex, queue?: FairQueue): PoolUse {
  return {
    used: pool.numUsed(),
    free: pool.numFree(),
    limit: pool.max,
    waiting: pool.numPendingAcquires() + (queue?.withoutSlot ?? 0),
  }
}

/** On a lost connection, the rollback fails too. The error that came first says why. */
async function runSnapshot<T>(
  snapshots: Knex,
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  let first: unknown
  const noting = (trx: Knex.Transaction): Promise<T> =>
    work(trx).catch((error) => {
      first = error
      throw error
    })
  return snapshots.transaction(noting).catch((error) => {
    throw first ?? error
  })
}

/** Query builders whose statements share a connection as long as one of them is running. One is used by one caller at a time. */
class SharingBuilders {
  readonly #pool: Knex
  /** To create one takes as long as some statements. */
  readonly #idle: SharingBuilder[] = []

  constructor(pool: Knex) {
    this.#pool = pool
  }

  async run<T>(work: (sql: Knex) => Promise<T>): Promise<T> {
    const builder = this.#idle.pop() ?? createSharingBuilder(this.#pool)
    try {
      return await work(builder.sql)
    } finally {
      // A part of the work that goes on after a failure keeps it.
      if (builder.users() === 0) this.#idle.push(builder)
    }
  }
}

type SharingBuilder = { readonly sql: Knex; readonly users: () => number }

function createSharingBuilder(pool: Knex): SharingBuilder {
  const sql = pool.withUserParams({})
  let users = 0
  let shared: Promise<RawConnection> | undefined
  sql.client.acquireConnection = async () => {
    users += 1
    shared ??= pool.client.acquireConnection()
    try {
      return await shared
    } catch (error) {
      users -= 1
      shared = undefined
      throw error
    }
  }
  sql.client.releaseConnection = async (connection: RawConnection) => {
    users -= 1
    if (users > 0) return
    shared = undefined
    pool.client.releaseConnection(connection)
  }
  return { sql, users: () => users }
}

/** Runs the transactions of each site one at a time. */
function writeQueue(concurrency: number, maxWaitMs: number): FairQueue {
  return new FairQueue({
    resource: 'a database connection',
    concurrency,
    concurrencyPerKey: 1,
    maxWaitingPerKey: MAX_WAITING_WRITES,
    maxWaitMs,
  })
}

type PoolSettings = SessionSettings & Pick<DatabaseOptions, 'url' | 'log'>

type SessionReady = (error: Error | null, connection: RawConnection) => void

function openPool(settings: PoolSettings, size: number): Knex {
  const { url, log, timings } = settings
  const { replyTimeoutMs, acquireTimeoutMs, connectTimeoutMs } = timings.db
  const sql = knex({
    client: mySqlClient(replyTimeoutMs),
    connection: {
      ...connectionSettings(url, connectTimeoutMs),
      multipleStatements: settings.statements === 'batched',
    },
    pool: {
      min: 0,
      max: size,
      afterCreate: (connection: RawConnection, done: SessionReady): void => {
        prepareSession(connection, settings).then(
          () => done(null, connection),
          (error) => done(error, connection),
        )
      },
    },
    acquireConnectionTimeout: acquireTimeoutMs,
    asyncStackTraces: false,
    // Errors are logged, and the values of a statement may be unpublished content.
    compileSqlOnError: false,
    // Failures are thrown as well, so the log would only repeat them.
    log: { warn: (text) => log.debug(String(text)), error: (text) => log.debug(String(text)) },
  })
  // The driver sets this property to the statement with its values.
  sql.on('query-error', (error: object) => Reflect.deleteProperty(error, 'sql'))
  return sql
}
