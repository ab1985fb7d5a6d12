import { BackgroundLoop } from '../../host/concurrency/background-loop.ts'
import type { Database } from '../database.ts'
import { newOwner } from '../lease.ts'
import type { Tx, WriteOptions } from '../transaction.ts'
import {
  endTask,
  endTaskLater,
  forgetFormer,
  LostLeaseError,
  queueOfTask,
  releaseTask,
  relyOnTask,
  relyOnTaskLast,
  renewTask,
  type TakenTask,
  type TaskColumns,
  type TaskEnd,
  type TaskLease,
  type TaskTables,
  takeTask,
} from './tasks-table.ts'

/** The transactions of a task have a queue of their own. */
export type CommitOptions = Omit<WriteOptions, 'queue'>

/** A task that this process has. Its lease is renewed until it is given up. */
export type Held = TakenTask & {
  readonly name: string
  /** This process, while it has this task. */
  readonly owner: string
  /** Aborted when the task is lost: another process has taken it. */
  readonly lost: AbortSignal
  /** @throws LostLeaseError */
  forgetFormer(): Promise<void>
  /**
   * Runs `work` in a transaction that fails if the task is lost.
   * @throws LostLeaseError
   */
  commit<T>(work: (tx: Tx) => T | Promise<T>, options?: CommitOptions): Promise<T>
  /** Renews the lease now. @returns false if the task is lost */
  renew(columns?: TaskColumns): Promise<boolean>
  /** Renews the lease with this function from now on: it stores something with it. */
  renewBy(renew: () => Promise<unknown>): void
}

/** For who has taken the task. */
export type HeldTask = Held & {
  /** Like `commit`, and gives the task up with the transaction, as `end` does. */
  commitLast<T>(work: (tx: Tx) => T | Promise<T>, options?: CommitOptions): Promise<T>
  /** Gives the task up, after the renewal in progress. */
  release(end: TaskEnd): Promise<void>
  /** Gives the task up, and deletes its row. Does nothing after `commitLast`. */
  end(): Promise<void>
}

export type HoldOptions = {
  readonly name: string
  readonly leaseMs: number
  /** The id of the owner [a new one]. */
  readonly owner?: string
}

/** Takes a task that is due, or that has no row, and keeps it. @returns undefined if it is not due: another process has it, or it rests */
export async function holdTask(
  db: Database,
  tables: TaskTables,
  { name, leaseMs, owner = newOwner() }: HoldOptions,
): Promise<HeldTask | undefined> {
  const lease: TaskLease = { name, owner, leaseMs }
  const taken = await takeTask(db, tables, lease)
  if (!taken) return undefined
  const lost = new AbortController()
  const noting = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      if (error instanceof LostLeaseError) lost.abort()
      throw error
    })
  const write = <T>(
    options: CommitOptions | undefined,
    work: (tx: Tx) => T | Promise<T>,
  ): Promise<T> => noting(db.write({ isWork: true, ...options, queue: queueOfTask(name) }, work))
  const renew = async (columns?: TaskColumns): Promise<boolean> => {
    const isOwn = await renewTask(db, tables, lease, columns)
    if (!isOwn) lost.abort()
    return isOwn
  }
  let isEnded = false
  let renewOnce: () => Promise<unknown> = renew
  // Three times in its time: if a renewal fails, the next one may be in time. Otherwise the lease ends, and another process may continue.
  const pauseMs = leaseMs / 3
  const renewal = new BackgroundLoop(async () => {
    await renewOnce().catch(() => {})
    if (lost.signal.aborted) void renewal.stop()
    return pauseMs
  }, pauseMs)
  return {
    ...taken,
    name,
    owner,
    lost: lost.signal,
    forgetFormer: () => noting(forgetFormer(db, tables, lease)),
    commit: (work, options) =>
      write(options, (tx) => {
        relyOnTask(tx, tables, lease)
        return work(tx)
      }),
    commitLast: async (work, options) => {
      const result = await write(options, async (tx) => {
        relyOnTaskLast(tx, tables, lease)
        const done = await work(tx)
        endTaskLater(tx, tables, lease)
        return done
      })
      isEnded = true
      await renewal.stop()
      return result
    },
    renew,
    renewBy: (given) => {
      renewOnce = given
    },
    release: async (end) => {
      await renewal.stop()
      await releaseTask(db, tables, lease, end)
    },
    end: async () => {
      await renewal.stop()
      if (!isEnded) await endTask(db, tables, lease)
    },
  }
}
