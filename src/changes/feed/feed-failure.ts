import { accountRefusalOf, isDatabaseUnavailable } from '../../db/database-error.ts'
import { FeedUnusableError } from './feed-server.ts'

/** The stream failed: its connection ended, or an event could not be read. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
}

/** A failure of the feed, and what follows. */
export type FeedFailure = {
  /** For operators. */
  readonly message: string
  /**
   * `operator`: an operator must change something, so trying again soon is of no use. `everything`: the feed cannot continue at its position,
   * and everything is compared.
   */
  readonly next: 'again' | 'operator' | 'everything'
}

/** The account lacks a global privilege, such as REPLICATION SLAVE. */
const ER_SPECIFIC_ACCESS_DENIED_ERROR = 1227
/**
 * "Got fatal error from master when reading data from binary log": the position was purged, belongs to another history, or is ahead of the
 * server.
 */
const ER_MASTER_FATAL_ERROR_READING_BINLOG = 1236

export function describeFailure(error: unknown): FeedFailure {
  const cause = error instanceof StreamError ? error.cause : error
  const text = messageOf(cause)
  const number = errorNumber(cause)
  if (cause instanceof FeedUnusableError) return { message: text, next: 'operator' }
  const refusal = accountRefusalOf(cause)
  // A database that does not exist says nothing about the account.
  const isRefused = refusal !== undefined && refusal !== 'database'
  if (number === ER_SPECIFIC_ACCESS_DENIED_ERROR || isRefused) {
    const message = `The database server denied access to the account in FEED_DATABASE_URL (${text}). Check its password, and grant it REPLICATION SLAVE ON *.*.`
    return { message, next: 'operator' }
  }
  if (error instanceof StreamError && isPositionLost(cause, number)) {
    const message = `The binlog could not be read (${text}). Everything is compared once, and the feed continues at the current position.`
    return { message, next: 'everything' }
  }
  return { message: text, next: 'again' }
}

/** An error without the number of a server error, on a working connection, is one of reading an event: it would fail again. */
const isPositionLost = (cause: unknown, number: number): boolean =>
  number === ER_MASTER_FATAL_ERROR_READING_BINLOG || !(number > 0 || isDatabaseUnavailable(cause))

/** Node reports several failed addresses of one host in an error without a message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

function errorNumber(error: unknown): number {
  return typeof error === 'object' && error !== null && 'errno' in error ? Number(error.errno) : 0
}
