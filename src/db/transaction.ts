import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Log } from '../log.ts'
import { isRetryable } from './database-error.ts'
import type { Memory } from './memory.ts'

/** Keeps a `Tx` from being made anywhere else: a write outside a transaction does not compile. */
const inTransaction = Symbol('in transaction')

/** What writes take: the statements of one open transaction. Only `runTransaction` makes one. */
export type Tx = {
  readonly sql: Knex.Transaction
  readonly memory: Memory
  /** Registers an effect outside the database, run in order once the transaction has committed. */
  afterCommit(effect: () => Promise<void>): void
  /**
   * Says under which keys others may remember what is no longer true; all of them are handed on at once after the commit. They are taken
   * only where somebody remembers anything: a large menu has tens of thousands.
   */
  forget(keys: Iterable<string>): void
  readonly [inTransaction]: true
}

/** What transactions are run with. */
export type TransactionScope = {
  readonly sql: Knex
  readonly memory: Memory
  readonly log: Log
  readonly onForget: OnForget | undefined
}

/** Takes the keys that a transaction said to forget, each once. */
export type OnForget = (keys: ReadonlySet<string>) => Promise<void>

/** Attempts at one transaction before its deadlock or lock time-out is handed to the caller. */
const MAX_ATTEMPTS = 6
/** Longest pause before the second attempt, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE_MS = 20
/** After so long no further attempt begins, in milliseconds: locks that are held this long are better told of. */
const PATIENCE_MS = 10_000

/**
 * Runs `work` in a transaction, again from the start where the database rolled it back for a deadlock or a lock
 * time-out (1213, 1205), which on Galera can come at commit. Effects registered with `afterCommit` run after the commit and are awaited;
 * one that fails is logged and does not make the saved write look lost.
 */
export async function runTransaction<T>(
  scope: TransactionScope,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { sql, memory, log, onForget } = scope
  const began = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    const effects: (() => Promise<void>)[] = []
    const forgotten = new Set<string>()
    try {
      const afterCommit = (effect: () => Promise<void>): void => void effects.push(effect)
      const forget = (keys: Iterable<string>): void => {
        if (!onForget) return
        for (const key of keys) forgotten.add(key)
      }
      const result = await sql.transaction((trx) =>
        work({ sql: trx, memory, afterCommit, forget, [inTransaction]: true }),
      )
      if (onForget && forgotten.size > 0) effects.unshift(() => onForget(forgotten))
      await runEffects(effects, log)
      return result
    } catch (error) {
      const isLate = attempt >= MAX_ATTEMPTS || performance.now() - began >= PATIENCE_MS
      if (isLate || !isRetryable(error)) throw error
      await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}

/** Runs `work` as a transaction would and takes everything back: what a dry run reports is what a write would do. */
export async function rehearseTransaction<T>(
  scope: TransactionScope,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const outcome: { result?: T } = {}
  try {
    await runTransaction(scope, async (tx) => {
      outcome.result = await work(tx)
      throw new TakenBack()
    })
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
  }
  return outcome.result as T
}

/** Makes the transaction roll back. */
class TakenBack extends Error {}

async function runEffects(effects: readonly (() => Promise<void>)[], log: Log): Promise<void> {
  for (const effect of effects) {
    await effect().catch((error: unknown) =>
      log.error({ err: error }, 'effect after commit failed'),
    )
  }
}
