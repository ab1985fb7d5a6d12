/** The properties of a driver error that are read here. */
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
/** "Incorrect string value": the column's character set does not support a character of the text. */
const ER_TRUNCATED_WRONG_VALUE_FOR_FIELD = 1366
const ER_NO_SUCH_TABLE = 1146
/** The database user lacks a privilege on the table, or on one of its columns. */
const DENIED_NUMBERS = new Set([1142, 1143])

/**
 * Server errors that are temporary: shutting down, out of connections or prepared statements, disk full, read-only, node not ready or
 * disconnected from its cluster during the commit, statement or connection ended by an operator or a time limit.
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

/** The transaction was rolled back and can be run again. */
export function isRetryable(error: unknown): boolean {
  const { errno } = details(error)
  return errno === ER_LOCK_DEADLOCK || errno === ER_LOCK_WAIT_TIMEOUT
}

/** The column's character set does not support a character of the text (4-byte characters in utf8mb3). */
export function isCharsetMismatch(error: unknown): boolean {
  return details(error).errno === ER_TRUNCATED_WRONG_VALUE_FOR_FIELD
}

/** The statement names a table that does not exist. */
export function isMissingTable(error: unknown): boolean {
  return details(error).errno === ER_NO_SUCH_TABLE
}

/** The database user lacks the privilege for the statement. */
export function isDenied(error: unknown): boolean {
  return DENIED_NUMBERS.has(Number(details(error).errno))
}

/** The database is unreachable or cannot run the statement now. A later retry may succeed; the caller is not at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, errno, name, syscall, fatal } = details(error)
  if (name === 'KnexTimeoutError' || isRetryable(error)) return true
  // The rollback on a lost connection fails without a code, and hides the error that lost it.
  if (fatal === true && code === undefined) return true
  if (syscall === 'connect') return true
  return UNAVAILABLE_NUMBERS.has(Number(errno)) || UNAVAILABLE_CODES.has(String(code))
}
