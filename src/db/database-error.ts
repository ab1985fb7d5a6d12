/** The properties of a driver error that are read here. */
type DriverError = {
  code?: unknown
  errno?: unknown
  name?: unknown
  syscall?: unknown
  fatal?: unknown
  sqlMessage?: unknown
}

const details = (error: unknown): DriverError =>
  typeof error === 'object' && error !== null ? error : {}

/** Whether the server's number of an error is one of these. */
const hasNumber = (numbers: readonly number[]) => {
  const known = new Set(numbers)
  return (error: unknown): boolean => known.has(Number(details(error).errno))
}

/**
 * The server rolled the transaction back, and it can be run again: lock wait timeout, deadlock, conflict with another node of a Group Replication found
 * at the commit; and "record has changed since last read" of MariaDB with `innodb_snapshot_isolation`, the default since 11.6.
 */
export const isRetryable = hasNumber([1205, 1213, 3101, 1020])

/**
 * The column's character set does not support a character of the text (4-byte characters in utf8mb3): "incorrect string value" in a write, and MySQL's
 * errors for a text that is compared or sent prepared.
 */
export const isCharsetMismatch = hasNumber([1366, 3854, 3988])

/** The statement waited too long for a lock, or ran for longer than the limit of MariaDB or of MySQL. */
export const isStatementTimeout = hasNumber([1205, 1969, 3024])

/**
 * The table is not as the statement needs it, and the same statement fails again: an unknown column, a value out of range, truncated or too long,
 * collations that cannot be mixed, a column without a default, a table that takes no rows or is read-only, a failed constraint or invalid JSON (MariaDB
 * 4025; MySQL 3819, 3140).
 */
export const isTableError = hasNumber([
  1031, 1036, 1054, 1264, 1265, 1267, 1270, 1271, 1292, 1364, 1406, 1471, 3140, 3819, 4025,
])

/** The table has other columns than the statement expects: an unknown column, a column without a default. */
export const isColumnsError = hasNumber([1054, 1364])

/** A value is longer than its column. */
export const isValueTooLong = hasNumber([1406])

/** A row with the same unique key exists. */
export const isDuplicate = hasNumber([1062])

/** The table has the column or the key that the statement adds, or lacks what it drops. */
export const isAlreadyChanged = hasNumber([1060, 1061, 1091])

/** The result of a computation does not fit into its type. */
export const isOutOfRange = hasNumber([1690])

/** The statement names a table that does not exist. */
export const isMissingTable = hasNumber([1146])

/** The database user lacks a privilege on the table, or on one of its columns. */
export const isDenied = hasNumber([1142, 1143])

/**
 * Why a server refuses an account, by the numbers of MariaDB and MySQL. Where both have a number, either may come from either: MariaDB answers a wrong
 * password with 1045 or 1698, which of them depends on the plugins of the account.
 */
const REFUSALS = {
  password: [1045, 1698],
  /** MySQL and MariaDB: locked by an administrator, or after too many wrong passwords. */
  locked: [3118, 4151, 3955, 4150],
  /** The password has expired. */
  expired: [1820, 1862],
  /** The account may not connect from this host, or the host had too many failed connections. */
  host: [1130, 1129],
  database: [1049],
  databaseRight: [1044],
  /** The server wants TLS. */
  tls: [3159],
} as const

/**
 * Server errors that are temporary: shutting down, offline (MySQL 3032, 3168), out of connections, threads or prepared statements, disk full, read-only,
 * node not ready or disconnected from its cluster during the commit, statement or connection ended by an operator (MariaDB 1927, MySQL 3169) or a
 * time limit (MariaDB 1969, MySQL 3024 and 4031).
 */
const isTemporary = hasNumber([
  1021, 1040, 1047, 1053, 1077, 1080, 1114, 1135, 1152, 1180, 1184, 1203, 1226, 1290, 1317, 1461,
  1615, 1792, 1836, 1927, 1969, 3024, 3032, 3100, 3168, 3169, 4031,
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
  'NO_BACKSLASH_ESCAPES',
])

/** Several statements in a packet are not safe with this mode: the driver escapes quotes in values with backslashes, which the server takes for characters then. */
export class BackslashModeError extends Error {
  readonly code = 'NO_BACKSLASH_ESCAPES'

  constructor() {
    super('The sql_mode of the database server contains NO_BACKSLASH_ESCAPES.')
  }
}

/** All connections were in use for too long. */
export class PoolTimeoutError extends Error {
  override readonly name = 'PoolTimeoutError'

  constructor(ms: number) {
    super(`no connection to the database became free within ${ms / 1000} s`)
  }
}

/** What the server says of an error, without data of rows: the part in front of a value. */
export function serverMessageOf(error: unknown): string {
  return String(details(error).sqlMessage).replace(/: '.*?'(?= for column)/s, '')
}

/** The name of the column in the server's message; undefined if it names none. */
export function columnIn(error: unknown): string | undefined {
  return /\b(?:column|field) '(?:[^']*\.)?([^'.]+)'|`([^`]+)` at row|^Field '([^']+)'/i
    .exec(String(details(error).sqlMessage))
    ?.slice(1)
    .find((name) => name !== undefined)
}

/** The name of the table that does not exist; undefined for another error. */
export function missingTableIn(error: unknown): string | undefined {
  if (!isMissingTable(error)) return undefined
  return /^Table '(?:[^']*\.)?([^'.]+)'/.exec(String(details(error).sqlMessage))?.[1]
}

/** Why the server refuses the account, its host or its database. */
export type AccountRefusal = keyof typeof REFUSALS

/** Undefined if the server has not refused a connection. */
export function accountRefusalOf(error: unknown): AccountRefusal | undefined {
  const number = Number(details(error).errno)
  const refusals = Object.entries(REFUSALS) as [AccountRefusal, readonly number[]][]
  return refusals.find(([, numbers]) => numbers.includes(number))?.[0]
}

/** The database is unreachable or cannot run the statement now. A later retry may succeed; the caller is not at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, syscall, fatal } = details(error)
  if (error instanceof PoolTimeoutError || isRetryable(error)) return true
  // A statement on a connection that is lost fails without a code. What the server says of its own while it ends a connection has a number as its code.
  if (fatal === true && (code === undefined || typeof code === 'number')) return true
  if (syscall === 'connect') return true
  return isTemporary(error) || UNAVAILABLE_CODES.has(String(code))
}
