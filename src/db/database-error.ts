/** What the driver reports of a failed statement, as far as we look at it. */
type DriverError = {
  code?: unknown
  errno?: unknown
  name?: unknown
  syscall?: unknown
  fatal?: unknown
}

const details = (error: unknown): DriverError =>
  typeof error === 'object' && error !== null ? error : {}

const ER_LOCK_WAIT_TIMEOUT = 1205
const ER_LOCK_DEADLOCK = 1213
const ER_DUP_ENTRY = 1062
/** "Incorrect string value": the column's character set can't hold the text. */
const ER_TRUNCATED_WRONG_VALUE_FOR_FIELD = 1366
const ER_NO_SUCH_TABLE = 1146
/** The user lacks a right on the table, or on a column of it. */
const DENIED_NUMBERS = new Set([1142, 1143])

/**
 * Server answers that mean "not now": shutting down, out of connections or of prepared statements, disk full, read-only, node not ready or
 * cut off from its cluster as it commits, statement or connection ended by an operator or a time limit.
 */
const UNAVAILABLE_NUMBERS = new Set([
  1021, 1040, 1047, 1053, 1077, 1080, 1114, 1152, 1180, 1184, 1203, 1226, 1290, 1317, 1461, 1615,
  1792, 1836, 1927, 1969, 3024, 3100,
])
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'HANDSHAKE_NO_SSL_SUPPORT',
  'HANDSHAKE_SSL_ERROR',
])

/** The transaction was rolled back and may simply be run again. */
export function isRetryable(error: unknown): boolean {
  const { errno } = details(error)
  return errno === ER_LOCK_DEADLOCK || errno === ER_LOCK_WAIT_TIMEOUT
}

/** A unique key already holds the value. */
export function isDuplicateKey(error: unknown): boolean {
  return details(error).errno === ER_DUP_ENTRY
}

/** The text can't be held by the column's character set (4-byte characters in utf8mb3). */
export function isCharsetMismatch(error: unknown): boolean {
  return details(error).errno === ER_TRUNCATED_WRONG_VALUE_FOR_FIELD
}

/** The statement named a table that is not there. */
export function isMissingTable(error: unknown): boolean {
  return details(error).errno === ER_NO_SUCH_TABLE
}

/** The database user may not do this to the table. */
export function isDenied(error: unknown): boolean {
  return DENIED_NUMBERS.has(Number(details(error).errno))
}

/** The database is away or can't take the statement now: worth another try later, no fault of the caller. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, errno, name, syscall, fatal } = details(error)
  if (name === 'KnexTimeoutError' || isRetryable(error)) return true
  // The rollback on a connection that was lost fails without a code, and hides how it was lost.
  if (fatal === true && code === undefined) return true
  if (syscall === 'connect') return true
  return UNAVAILABLE_NUMBERS.has(Number(errno)) || UNAVAILABLE_CODES.has(String(code))
}
