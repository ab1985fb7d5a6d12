import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { FairQueue } from '../concurrency/fair-queue.ts'
import type { Log } from '../log.ts'
import { isRetryable } from './database-error.ts'
import type { ReadCache } from './read-cache.ts'

/** Keeps a `Tx` from being made anywhere else: a write outside a transaction does not compile. */
const inTransaction = Symbol('in transaction')

/** What writes take: the statements of one open transaction. Only `runTransaction` makes one. */
export type Tx = {
  readonly sql: Knex.Transaction
  readonly memory: ReadCache
  /** Registers an effect outside the database, run in order once the transaction has committed. */
  afterCommit(effect: () => Promise<void>): void
  /**
   * Says under which keys others may remember what is no longer true; all of them are handed on at once before the commit. They are taken
   * only where somebody remembers anything: a large menu has tens of thousands.
   */
  invalidate(keys: Iterable<string>): void
  readonly [inTransaction]: true
}

/** Whose rows a transaction writes: those of the site with this blog id, or where it is undefined, those that all sites share. */
export type RowOwner = { readonly blogId: number } | undefined

/** What transactions are run with. */
export type TransactionScope = {
  readonly sql: Knex
  readonly memory: ReadCache
  readonly log: Log
  readonly onForget: OnInvalidate | undefined
  /** Runs transactions one at a time for each owner. */
  readonly writers: FairQueue
  /** After this time no further attempt begins, in milliseconds: the caller is told of a lock that lasts this long. */
  readonly retryForMs: number
}

/** Takes the keys that a transaction said to forget, each once, as the last thing before its commit. */
export type OnInvalidate = (tx: Tx, keys: ReadonlySet<string>) => Promise<void>

/** Attempts at one transaction before its deadlock or lock time-out is handed to the caller. */
const MAX_ATTEMPTS = 6
/** Longest pause before the second attempt, in milliseconds; it doubles with each further one. */
const MAX_FIRST_PAUSE_MS = 20

/**
 * Runs `work` in a transaction, again from the start where the database rolled it back for a deadlock or a lock
 * time-out (1213, 1205), which on Galera can come at commit. Effects registered with `afterCommit` run after the commit and are awaited;
 * one that fails is logged and does not make the saved write look lost. Transactions of one owner run one at a time, and wait for that
 * without a connection: `work` must not wait for another transaction.
 * @throws AppError `service_busy` where too many transactions of the owner wait already, or the wait was too long
 */
export async function runTransaction<T>(
  scope: TransactionScope,
  work: (tx: Tx) => Promise<T>,
  owner: RowOwner,
): Promise<T> {
  const key = owner === undefined ? 'network' : String(owner.blogId)
  const { result, effects } = await scope.writers.run(key, () => commit(scope, work))
  await runEffects(effects, scope.log)
  return result
}

type Effect = () => Promise<void>

type Committed<T> = { readonly result: T; readonly effects: readonly Effect[] }

async function commit<T>(
  { sql, memory, onForget, retryForMs }: TransactionScope,
  work: (tx: Tx) => Promise<T>,
): Promise<Committed<T>> {
  const began = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    const effects: Effect[] = []
    const forgotten = new Set<string>()
    const afterCommit = (effect: Effect): void => void effects.push(effect)
    const forget = (keys: Iterable<string>): void => {
      if (!onForget) return
      for (const key of keys) forgotten.add(key)
    }
    try {
      const result = await sql.transaction(async (trx) => {
        const tx: Tx = { sql: trx, memory, afterCommit, invalidate: forget, [inTransaction]: true }
        const result = await work(tx)
        if (onForget && forgotten.size > 0) await onForget(tx, forgotten)
        return result
      })
      return { result, effects }
    } catch (error) {
      const isLate = attempt >= MAX_ATTEMPTS || performance.now() - began >= retryForMs
      if (isLate || !isRetryable(error)) throw error
      await sleep(Math.random() * MAX_FIRST_PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}

/** Runs `work` as a transaction would and takes everything back: what a dry run reports is what a write would do. */
export async function runAndRollBack<T>(
  scope: TransactionScope,
  work: (tx: Tx) => Promise<T>,
  owner: RowOwner,
): Promise<T> {
  const outcome: { result?: T } = {}
  try {
    await runTransaction(
      scope,
      async (tx) => {
        outcome.result = await work(tx)
        throw new RollbackSignal()
      },
      owner,
    )
  } catch (error) {
    if (!(error instanceof RollbackSignal)) throw error
  }
  return outcome.result as T
}

/** Makes the transaction roll back. */
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
