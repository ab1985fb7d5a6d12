import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { BackgroundLoop } from '../concurrency/background-loop.ts'
import type { Database, Db } from './database.ts'

/** The right of one process to a row, until `due_at` of the row; its owner renews it before. When it ends, any process may take the row. */
export type Lease = {
  readonly table: string
  /** What identifies the row; columns that must keep their value while the lease lasts. */
  readonly row: Readonly<Record<string, string | number>>
  /** See `newOwner`; the column `owner`. */
  readonly owner: string
  /** How long it lasts without renewal, in milliseconds. After a crash another process continues after this time. */
  readonly lengthMs: number
}

/** Values of other columns that are stored together with a lease. */
export type LeaseColumns = Readonly<Record<string, string | number | null | Knex.Raw>>

/** A due time in the past, on all clocks. */
export const DUE_NOW = '2000-01-01 00:00:00'

/** The columns of a row that nobody has. */
export const RELEASED = { owner: null, due_at: DUE_NOW }

/** A new owner: 16 hexadecimal digits. */
export const newOwner = (): string => randomBytes(8).toString('hex')

/** A time from now, as a value of an SQL text. The clock of the database decides, not those of the processes. */
export const inMs = (ms: number) => ({
  toSqlString: () => `NOW(6) + INTERVAL ${Math.round(ms * 1000)} MICROSECOND`,
})

/** The condition of the rows that may be taken, in SQL. No row is due later than at `:latest`, unless the clock of the database was set back. */
export const IS_DUE = '(due_at <= NOW(6) OR due_at > :latest)'

/** The latest end of a lease. */
export const latestLease = ({ timings }: Pick<Db, 'timings'>) => inMs(timings.db.longestLeaseMs)

/**
 * Takes a row that is due.
 * @param former an owner that this process was, and may not have released
 * @returns whether this process has the row now
 */
export function takeLease(
  db: Database,
  lease: Lease,
  {
    former = '',
    columns = {},
  }: { readonly former?: string | undefined; readonly columns?: LeaseColumns } = {},
): Promise<boolean> {
  const { table, row, owner, lengthMs } = lease
  return updateRow(db, lease, (sql) =>
    sql(table)
      .where(row)
      .whereRaw(`(owner = :former OR ${IS_DUE})`, {
        former,
        latest: endOf(sql, db.timings.db.longestLeaseMs),
      })
      .update({ ...columns, owner, due_at: endOf(sql, lengthMs) }),
  )
}

/** Renews a lease. @returns false if it is lost: another process has taken the row, or it was released */
export function renewLease(
  db: Database,
  lease: Lease,
  columns: LeaseColumns = {},
): Promise<boolean> {
  const { table, row, owner, lengthMs } = lease
  return updateRow(db, lease, (sql) =>
    sql(table)
      .where({ ...row, owner })
      .update({ ...columns, due_at: endOf(sql, lengthMs) }),
  )
}

/** Releases a row, so that any process may take it at once. Does nothing if the lease is lost. */
export async function releaseLease(
  db: Database,
  lease: Lease,
  columns: LeaseColumns = {},
): Promise<void> {
  const { table, row, owner } = lease
  await updateRow(db, lease, (sql) =>
    sql(table)
      .where({ ...row, owner })
      .update({ ...columns, ...RELEASED }),
  )
}

const endOf = (sql: Database['sql'], ms: number): Knex.Raw => sql.raw(inMs(ms).toSqlString())

/** The queue of the transactions that change the row of a lease: other work must not let it end. */
export const queueOf = ({ table, row }: Lease): string => JSON.stringify([table, row])

/** One statement without a transaction around it. */
function updateRow(
  db: Database,
  lease: Lease,
  update: (sql: Database['sql']) => Promise<number>,
): Promise<boolean> {
  const options = { isWork: true, isStatement: true, queue: queueOf(lease) }
  return db.write(options, async ({ sql }) => (await update(sql)) === 1)
}

/** Renews a lease in the background. */
export type Renewal = {
  /** Aborted when a renewal finds that the lease is lost. */
  readonly lost: AbortSignal
  /** Resolves when the renewal in progress has ended. */
  stop(): Promise<void>
}

/**
 * Renews a lease three times in its time, until it is stopped or lost. If a renewal fails, the next one may be in time; otherwise the lease ends, and
 * another process may continue.
 * @param renew resolves with false if the lease is lost
 * @param lengthMs the length of the lease
 * @param firstPauseMs the pause before the first renewal [a third of the time]
 */
export function keepRenewing(
  lengthMs: number,
  renew: () => Promise<boolean>,
  firstPauseMs = lengthMs / 3,
): Renewal {
  const lost = new AbortController()
  const loop = new BackgroundLoop(async () => {
    if (!(await renew().catch(() => true))) {
      lost.abort()
      void loop.stop()
    }
    return lengthMs / 3
  }, firstPauseMs)
  return { lost: lost.signal, stop: () => loop.stop() }
}
