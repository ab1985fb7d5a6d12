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

/**
 * The server rolled the transaction back: lock wait timeout, deadlock, conflict with another node of a Group Replication found at the commit;
 * and "record has changed since last read" of MariaDB with `innodb_snapshot_isolation`, the default since 11.6.
 */
const RETRYABLE_NUMBERS = new Set([1205, 1213, 3101, 1020])
/**
 * The column's character set does not support a character of the text: "incorrect string value" in a write, and MySQL's errors for a text that
 * is compared or sent prepared.
 */
const CHARSET_NUMBERS = new Set([1366, 3854, 3988])
/** A lock wait timeout, and the limit for the time of a statement of MariaDB and of MySQL. */
const TIMEOUT_NUMBERS = new Set([1205, 1969, 3024])
/**
 * The table is not as the statement needs it: an unknown column, a value out of range, truncated or too long, collations that cannot be mixed, a column
 * without a default, a table that takes no rows or is read-only, a failed constraint or invalid JSON (MariaDB 4025; MySQL 3819, 3140).
 */
const TABLE_NUMBERS = new Set([
  1031, 1036, 1054, 1264, 1265, 1267, 1270, 1271, 1292, 1364, 1406, 1471, 3140, 3819, 4025,
])
/** What the columns of the table are has changed: an unknown column, a column without a default. */
const COLUMNS_NUMBERS = new Set([1054, 1364])
const ER_DATA_TOO_LONG = 1406
const ER_NO_SUCH_TABLE = 1146
const ER_DUP_ENTRY = 1062
const ER_DUP_FIELDNAME = 1060
const ER_DUP_KEYNAME = 1061
const ER_CANT_DROP = 1091
const ER_DATA_OUT_OF_RANGE = 1690
/** The database user lacks a privilege on the table, or on one of its columns. */
const DENIED_NUMBERS = new Set([1142, 1143])
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
const UNAVAILABLE_NUMBERS = new Set([
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

/** The transaction was rolled back and can be run again. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE_NUMBERS.has(Number(details(error).errno))
}

/** The column's character set does not support a character of the text (4-byte characters in utf8mb3). */
export function isCharsetMismatch(error: unknown): boolean {
  return CHARSET_NUMBERS.has(Number(details(error).errno))
}

/** The table is not as the statement needs it, and the same statement fails again. */
export function isTableError(error: unknown): boolean {
  return TABLE_NUMBERS.has(Number(details(error).errno))
}

/** The table has other columns than the statement expects. */
export function isColumnsError(error: unknown): boolean {
  return COLUMNS_NUMBERS.has(Number(details(error).errno))
}

/** A value is longer than its column. */
export function isValueTooLong(error: unknown): boolean {
  return details(error).errno === ER_DATA_TOO_LONG
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

/** The statement waited too long for a lock, or ran for too long. */
export function isStatementTimeout(error: unknown): boolean {
  return TIMEOUT_NUMBERS.has(Number(details(error).errno))
}

/** A row with the same unique key exists. */
export function isDuplicate(error: unknown): boolean {
  return details(error).errno === ER_DUP_ENTRY
}

/** The table has the column or the key that the statement adds, or lacks what it drops. */
export function isAlreadyChanged(error: unknown): boolean {
  const { errno } = details(error)
  return errno === ER_DUP_FIELDNAME || errno === ER_DUP_KEYNAME || errno === ER_CANT_DROP
}

/** The result of a computation does not fit into its type. */
export function isOutOfRange(error: unknown): boolean {
  return details(error).errno === ER_DATA_OUT_OF_RANGE
}

/** The name of the table that does not exist; undefined for another error. */
export function missingTableIn(error: unknown): string | undefined {
  if (!isMissingTable(error)) return undefined
  return /^Table '(?:[^']*\.)?([^'.]+)'/.exec(String(details(error).sqlMessage))?.[1]
}

/** The statement names a table that does not exist. */
export function isMissingTable(error: unknown): boolean {
  return details(error).errno === ER_NO_SUCH_TABLE
}

/** The database user lacks the privilege for the statement. */
export function isDenied(error: unknown): boolean {
  return DENIED_NUMBERS.has(Number(details(error).errno))
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
  const { code, errno, syscall, fatal } = details(error)
  if (error instanceof PoolTimeoutError || isRetryable(error)) return true
  // A statement on a connection that is lost fails without a code. What the server says of its own while it ends a connection has a number as its code.
  if (fatal === true && (code === undefined || typeof code === 'number')) return true
  if (syscall === 'connect') return true
  return UNAVAILABLE_NUMBERS.has(Number(errno)) || UNAVAILABLE_CODES.has(String(code))
}
