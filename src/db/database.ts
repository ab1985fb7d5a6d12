import { EventEmitter } from 'node:events'
import { FairQueue } from '../host/concurrency/fair-queue.ts'
import type { Log } from '../host/log.ts'
import type { Timings } from '../host/timings.ts'
import { inSpan } from '../host/trace.ts'
import { addressOf } from './connection.ts'
import { ConnectionPool, type PoolSettings, type PoolUse } from './connection-pool.ts'
import { BackslashModeError } from './database-error.ts'
import { ReadBatches } from './read-batches.ts'
import { createReadCache, notingEntries, type ReadCache } from './read-cache.ts'
import { readRow } from './read-rows.ts'
import type { Reply, Sender, Statement } from './sender.ts'
import { BACKSLASH_MODE } from './session.ts'
import type { StatementObserver } from './statement-queue.ts'
import {
  type Author,
  type OnGrowth,
  type OnInvalidate,
  runTransaction,
  type TransactionScope,
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
  readonly sender: Sender
  /** Every interval and time limit of the service. */
  readonly timings: Timings
  readonly cache: ReadCache
  readonly batches: ReadBatches
}

/** Creates the `Db` of a connection or pool. */
export function createDb(sender: Sender, { cache, timings }: Pick<Db, 'cache' | 'timings'>): Db {
  return { sender, timings, cache, batches: new ReadBatches() }
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
  /** Tells of each statement of clients when it is sent, and when it is answered. */
  readonly statements: EventEmitter<StatementEvents>
  /** Where the database is, without account and password: `host:port/name`. */
  readonly address: string
  /** Resolves if the database answers and transactions can use it. */
  ping(): Promise<void>
  /** The connections of this process, by what they are for. */
  pools(): Readonly<Record<string, PoolUse>>
  close(): Promise<void>
}

type StatementEvents = { sent: [Statement]; answered: [Statement, Reply] }

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
  const statements = new EventEmitter<StatementEvents>()
  const observe: StatementObserver = {
    sent: (statement) => statements.emit('sent', statement),
    answered: (statement, reply) => statements.emit('answered', statement, reply),
  }
  const open = (size: number, settings: Partial<PoolSettings>) =>
    new ConnectionPool({
      url,
      timings,
      statements: isBatched ? 'batched' : 'queued',
      observe: UNOBSERVED,
      size,
      ...settings,
    })
  const maxWriters = Math.max(1, Math.floor(poolSize / 2))
  const previewLockWait = Math.min(lockWaitSeconds, timings.db.previewLockWaitSeconds)
  const pools = {
    reads: open(poolSize, { observe, statements: 'single' }),
    // Transactions have connections of their own, which take several statements in a packet.
    writes: open(maxWriters, { observe, maxIdleSeconds: idleWriteSeconds }),
    // Its own connections: who reads together may write meanwhile.
    together: open(maxWriters, { observe }),
    // Its own connections: a worker needs one of the pool for its writes while it reads a snapshot.
    snapshots: open(MAX_SNAPSHOTS, { isolation: 'REPEATABLE READ' }),
    // A worker that stops within a transaction must not lock the rows of the worker that takes over from it.
    work: open(MAX_WORK_CONNECTIONS, { maxIdleSeconds: idleWorkSeconds }),
    previews: open(MAX_PREVIEWS, {
      lockWaitSeconds: previewLockWait,
      maxStatementSeconds: timings.db.previewStatementSeconds,
    }),
  }
  const cache = createReadCache()
  const own = { cache, timings }
  const scopeOf = (pool: ConnectionPool, retrySeconds = lockWaitSeconds): TransactionScope => ({
    ...own,
    log,
    onInvalidate,
    onGrowth,
    pool,
    writers: writeQueue(pool.use().limit, writeWaitMs),
    retryForMs: retrySeconds * 1000,
  })
  const clients = scopeOf(pools.writes)
  const workers = scopeOf(pools.work)
  const previews = scopeOf(pools.previews, previewLockWait)
  const writersFirst = new WritersFirst(previewLockWait * 1000)
  const write: Database['write'] = (options, work) => {
    const { site, isWork, isPreview, storesCopies } = options
    const run = (implicit: ImplicitValues) => {
      if (isWork) return runTransaction(workers, options, implicit, work)
      if (!site) return runTransaction(isPreview ? previews : clients, options, implicit, work)
      if (!isPreview)
        return writersFirst.write(site.blogId, () =>
          runTransaction(clients, options, implicit, work),
        )
      return runTransaction(previews, options, implicit, (tx) =>
        writersFirst.preview(site.blogId, async () => work(tx)),
      )
    }
    const attributes = site && { 'wp_frames.site': site.blogId }
    const checked = () =>
      isWork && !storesCopies ? run(NO_IMPLICIT_VALUES) : writeChecked(tables, site, run)
    return isWork ? checked() : inSpan('write', { attributes }, checked)
  }
  const tables = knowTables?.(createDb(pools.reads, own))
  const database: Database = {
    ...createDb(pools.reads, own),
    statements,
    address: addressOf(url),
    validated: (key, read, sizeOf) => reads.run(key, read, sizeOf),
    write,
    assertWritable: async (site) => void (await tables?.check(site)),
    snapshot: (work) =>
      pools.snapshots.transaction((sender) => work(createDb(sender, own)), { isReadOnly: true }),
    together: (work) => pools.together.together((sender) => work(createDb(sender, own))),
    ping: async () => {
      const select = 'SELECT @@GLOBAL.sql_mode AS modes'
      const row = await readRow<{ modes: string }>(database, select, {})
      if (isBatched && row?.modes.includes(BACKSLASH_MODE)) throw new BackslashModeError()
    },
    pools: () => ({
      reads: pools.reads.use(),
      writes: pools.writes.use(clients.writers.withoutSlot),
      together: pools.together.use(),
      snapshots: pools.snapshots.use(),
      work: pools.work.use(workers.writers.withoutSlot),
      previews: pools.previews.use(previews.writers.withoutSlot),
    }),
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.close()))
    },
  }
  const reads = new ValidatedReads<Database>({
    sender: pools.reads,
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

const UNOBSERVED: StatementObserver = { sent: () => {}, answered: () => {} }

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
