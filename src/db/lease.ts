import { randomBytes } from 'node:crypto'

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
