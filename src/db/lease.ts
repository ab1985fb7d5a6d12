import { randomBytes } from 'node:crypto'
import { BackgroundLoop } from '../host/concurrency/background-loop.ts'

/** A due time in the past, on all clocks. */
export const DUE_NOW = '2000-01-01 00:00:00'

/** A new owner: 16 hexadecimal digits. */
export const newOwner = (): string => randomBytes(8).toString('hex')

/** A time from now, as a value of an SQL text. The clock of the database decides, not those of the processes. */
export const inMs = (ms: number) => ({
  toSqlString: () => `NOW(6) + INTERVAL ${Math.round(ms * 1000)} MICROSECOND`,
})

/** The condition of the rows that may be taken, in SQL. No row is due later than at `:latest`, unless the clock of the database was set back. */
export const IS_DUE = '(due_at <= NOW(6) OR due_at > :latest)'

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
