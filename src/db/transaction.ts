import { setTimeout as sleep } from 'node:timers/promises'
import type { FairQueue } from '../host/concurrency/fair-queue.ts'
import type { Log } from '../host/log.ts'
import type { Timings } from '../host/timings.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { isOutOfRange, isRetryable } from './database-error.ts'
import { ReadBatches } from './read-batches.ts'
import type { ReadCache } from './read-cache.ts'
import type { WriteResult } from './read-rows.ts'
import type { Reply, Sender, TransactionSender } from './sender.ts'
import { type NamedValues, statementOf } from './statement-text.ts'
import { assertTransactional } from './table-engines.ts'
import { GaveWayError } from './writers-first.ts'
import type { ImplicitValues } from './written-tables.ts'

/** Prevents other modules from constructing a `Tx`: a write outside a transaction does not compile. */
const inTransaction = Symbol('in transaction')

/** Who writes, as the history records it. */
export type Author = {
  /** Null for a command: the operator has no user. */
  readonly userId: number | null
  readonly tokenId: number | null
  /** The label of the token; `cli deploy@web1` for a command. */
  readonly label: string
  /** Identifies the request, or the run of a command. */
  readonly requestId: string
}

export type LaterOptions<Reply = WriteResult> = {
  /** Returns the error with which the transaction fails if the statement does [that of the driver]. */
  readonly explain?: (error: unknown) => unknown
  /** Takes the result of a write, or the rows of a read, before the transaction ends. */
  readonly onResult?: (reply: Reply) => void
}

/** The argument of writes: one open transaction. Only `runTransaction` creates one. */
export type Tx = {
  readonly sender: Sender
  readonly timings: Timings
  readonly cache: ReadCache
  readonly batches: ReadBatches
  /** Values for columns that plugins have added to the tables of the site; see `completeRow`. */
  readonly implicit: ImplicitValues
  /**
   * Sends a statement together with the next one that somebody waits for, at the latest with the commit. If it fails, the transaction does.
   * @param statement an SQL text with named values, see `readRows`
   */
  later<Reply = WriteResult>(
    statement: string,
    values?: NamedValues,
    options?: LaterOptions<Reply>,
  ): void
  /**
   * Lets the transaction fail with this error if a SELECT finds too few rows, when it is sent. The statements after it then do not run.
   * @param select an SQL text; with `FOR UPDATE` the rows stay as they are until the commit
   * @param least number of rows [1]
   */
  assertFound(select: string, values: NamedValues, error: () => Error, least?: number): void
  /** Sends the statements that wait. */
  flush(): Promise<void>
  /** Values of this attempt at the transaction, by a key of the module that stores them. */
  readonly local: Map<string, object>
  /** Undefined for writes of the service itself. */
  readonly author: Author | undefined
  /** Registers a step that runs in the transaction after its work. A dry run omits it. */
  beforeCommit(step: () => Promise<void>): void
  /** Registers an effect outside the database. Effects run in order after the commit. */
  afterCommit(effect: () => Promise<void>): void
  /**
   * Reports the keys of the object cache that this transaction makes stale. They are passed on together, just before the commit. Without an
   * object cache the iterable is never read: a large menu has tens of thousands of keys.
   */
  invalidate(keys: Iterable<string>): void
  /** Reports that the transaction adds so much to what the service keeps of a site. It is passed on after the commit. */
  grow(blogId: number, bytes: number): void
  readonly [inTransaction]: true
}

type WrittenSite = {
  readonly blogId: number
  /** The names of its tables; undefined if the transaction writes the service's own tables only. They must be writable; those of a dry run are rolled back. */
  readonly tables?: Readonly<Record<string, string>>
}

export type WriteOptions = {
  /** The site whose rows the transaction writes; undefined for tables that all sites share. */
  readonly site?: WrittenSite | undefined
  /** Uses connections and a queue of its own, so that building what clients wrote does not wait behind further writes. */
  readonly isWork?: boolean | undefined
  /** Work that stores baked copies in the tables of the site; other work writes the service's own tables only. */
  readonly storesCopies?: boolean | undefined
  /** Uses connections and a queue of its own, on which statements and their waits for locks are short, so that no other write waits for a connection. */
  readonly isPreview?: boolean | undefined
  /** Transactions with the same name run one at a time, and wait for no others than these [those of the site, or of the network]. */
  readonly queue?: string | undefined
  /** `work` is one statement, which needs no transaction around it, unless stale keys of the object cache are stored with it. */
  readonly isStatement?: boolean | undefined
  /** Rolls the transaction back after `work`; effects after commit do not run. */
  readonly dryRun?: boolean | undefined
  readonly author?: Author | undefined
}

/** What all transactions of one pool share. */
export type TransactionScope = {
  readonly pool: ConnectionPool
  readonly timings: Timings
  readonly cache: ReadCache
  readonly log: Log
  readonly onInvalidate: OnInvalidate | undefined
  readonly onGrowth: OnGrowth | undefined
  /** Runs the transactions of each site one at a time. */
  readonly writers: FairQueue
  /** No attempt begins later than this after the first one, in milliseconds, so that the caller learns of a long lock soon. */
  readonly retryForMs: number
}

/** Receives the keys that a transaction made stale, without duplicates, as its last step before the commit. */
export type OnInvalidate = (tx: Tx, keys: ReadonlySet<string>) => Promise<void>

/** Receives by how many bytes a committed transaction has enlarged what the service keeps of a site. */
export type OnGrowth = (blogId: number, bytes: number) => void

/** Attempts at one transaction; after the last one its deadlock or lock timeout is thrown. */
const MAX_ATTEMPTS = 6

/**
 * Runs `work` in a transaction. If the database rolls it back because of a deadlock, a lock timeout or a conflict (`isRetryable`; in a
 * cluster this can happen at the commit), `work` runs again from the start. Effects registered with `afterCommit` run after the commit and are awaited; a
 * failed effect is logged and does not fail the write, which is already stored. Transactions of one site run one at a time. They wait for
 * that without a connection, so `work` must not wait for another transaction.
 * @throws AppError `service_busy` if too many transactions of the site already wait, or this one waited too long; those of `assertRollsBack`
 */
export async function runTransaction<T>(
  scope: TransactionScope,
  options: WriteOptions,
  implicit: ImplicitValues,
  work: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  const { site, dryRun, queue } = options
  const key = queue ?? (site === undefined ? 'network' : String(site.blogId))
  const run = dryRun ? runAndRollBack : runAndCommit
  const { result, effects } = await scope.writers.run(key, () =>
    run(scope, options, implicit, work),
  )
  await runEffects(effects, scope.log)
  return result
}

type Effect = () => Promise<void>

type Committed<T> = { readonly result: T; readonly effects: readonly Effect[] }

async function runAndCommit<T>(
  { pool, timings, cache, onInvalidate, onGrowth, retryForMs }: TransactionScope,
  { author, isStatement = false }: WriteOptions,
  implicit: ImplicitValues,
  work: (tx: Tx) => T | Promise<T>,
): Promise<Committed<T>> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    const effects: Effect[] = []
    const staleKeys = new Set<string>()
    const failure: LateFailure = { isKnown: false }
    const afterCommit = (effect: Effect): void => void effects.push(effect)
    const invalidate = (keys: Iterable<string>): void => {
      if (!onInvalidate) return
      for (const key of keys) staleKeys.add(key)
    }
    try {
      const attemptWork = async (sender: TransactionSender): Promise<T> => {
        const local = new Map<string, object>()
        const steps: (() => Promise<void>)[] = []
        const batches = new ReadBatches()
        const tx: Tx = {
          sender,
          timings,
          ...sendingLater(sender, failure),
          cache,
          batches,
          implicit,
          local,
          author,
          beforeCommit: (step) => void steps.push(step),
          afterCommit,
          invalidate,
          grow: (blogId, bytes) => afterCommit(async () => onGrowth?.(blogId, bytes)),
          [inTransaction]: true,
        }
        const result = await work(tx)
        for (const step of steps) await step()
        if (onInvalidate && staleKeys.size > 0) await onInvalidate(tx, staleKeys)
        if (isStatement) await tx.flush()
        return result
      }
      const result = await (isStatement && !onInvalidate
        ? attemptWork(singleSender(pool))
        : pool.transaction(attemptWork))
      return { result, effects }
    } catch (error) {
      const isLast = attempt >= MAX_ATTEMPTS || performance.now() - startedAt >= retryForMs
      if (isLast || !(isRetryable(error) || error instanceof GaveWayError))
        throw failure.explained ?? error
      await sleep(Math.random() * timings.db.retryPauseMs * 2 ** (attempt - 1))
    }
  }
}

/** Runs `work` like a committed transaction and rolls it back: a dry run reports exactly what the write would do. */
async function runAndRollBack<T>(
  scope: TransactionScope,
  { site, author }: WriteOptions,
  implicit: ImplicitValues,
  work: (tx: Tx) => T | Promise<T>,
): Promise<Committed<T>> {
  const outcome: { result?: T } = {}
  const workAndThrow = async (tx: Tx): Promise<never> => {
    await assertRollsBack(tx, site)
    outcome.result = await work(tx)
    await tx.flush()
    throw new RollbackSignal()
  }
  try {
    await runAndCommit(scope, { author }, implicit, workAndThrow)
  } catch (error) {
    if (!(error instanceof RollbackSignal)) throw error
  }
  return { result: outcome.result as T, effects: [] }
}

/** The largest integer of SQL: to add 1 is an error, at which the server stops. */
const MAX_INTEGER = '18446744073709551615'

/** The first statement that failed after its caller had gone on, and the error for the caller of the transaction. */
type LateFailure = { explained?: unknown; isKnown: boolean }

/** The part of `Tx` that sends statements together. */
function sendingLater(
  sender: TransactionSender,
  failure: LateFailure,
): Pick<Tx, 'later' | 'assertFound' | 'flush'> {
  const later: Tx['later'] = (statement, values = {}, { explain, onResult } = {}) => {
    sender
      .later(statementOf(statement, values))
      .then(({ rows }) => onResult?.(rows as never))
      // The statement that it is sent with fails with the same error.
      .catch((error: unknown) => {
        if (!failure.isKnown) failure.explained = explain?.(error)
        failure.isKnown = true
      })
  }
  return {
    later,
    assertFound: (select, values, error, least = 1) =>
      later(
        `SELECT ${MAX_INTEGER} + (SELECT COUNT(*) < ${Number(least)} FROM (${select}) found) AS fails`,
        values,
        {
          explain: (reason) => (isOutOfRange(reason) ? error() : undefined),
        },
      ),
    flush: () =>
      sender.flush().catch((error) => {
        throw failure.explained ?? error
      }),
  }
}

/** Sends a statement that needs no transaction around it. */
function singleSender(pool: ConnectionPool): TransactionSender {
  let sent: Promise<Reply> | undefined
  return {
    send: (statement) => pool.send(statement),
    stream: (statement) => pool.stream(statement),
    later: (statement) => {
      if (sent) throw new Error('several statements need a transaction')
      sent = pool.send(statement)
      return sent
    },
    flush: async () => {
      await sent
    },
  }
}

/**
 * Checks, once in a transaction, that a rollback undoes all writes to a site: it does not undo those to a table that is not transactional.
 * @throws AppError `engine_not_transactional`
 */
async function assertRollsBack(tx: Tx, site: WriteOptions['site']): Promise<void> {
  const key = `tables of ${site?.blogId} roll back`
  if (!site?.tables || tx.local.has(key)) return
  await assertTransactional(tx, Object.values(site.tables))
  tx.local.set(key, site)
}

/** Thrown inside a dry run, so that the transaction is rolled back. */
class RollbackSignal extends Error {}

async function runEffects(effects: readonly Effect[], log: Log): Promise<void> {
  for (const effect of effects) {
    try {
      await effect()
    } catch (error) {
      log.error({ err: error }, 'effect after commit failed')
    }
  }
}
