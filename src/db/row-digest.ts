import { sha256Hex } from '../host/hash.ts'

/** A row as the driver returns it: an object with a property for each column. */
export type Row = Readonly<Record<string, unknown>>

/** Between the values of a row, and instead of NULL: control characters that no text of WordPress contains. */
const [SEPARATOR, NULL] = ['\u0001', '\u0002']
const SEPARATORS = /[\u0001\u0002]/
/** 60 bits: SQL and JavaScript read as many from hexadecimal digits without a sign. */
const HASH_DIGITS = 15

/** Whether a statement only reads, and its rows depend on stored rows alone: not on the time, nor on what the session has done. */
export function isRepeatable(sql: string): boolean {
  return /^\s*(?:SELECT|WITH)\b/i.test(sql) && !BEYOND_ROWS.test(sql)
}

const BEYOND_ROWS =
  /\b(?:FOR\s+(?:UPDATE|SHARE)|SHARE\s+MODE|NOW|SYSDATE|UTC_\w+|CURRENT_\w+|RAND|UUID|LAST_INSERT_ID|UPDATE|DELETE)\b|@/i

/**
 * A scalar subquery with the digest of the rows that a statement returns now: the sum of a hash of each row, whatever their order. A statement
 * whose order matters selects the columns that it is ordered by. The
 * server evaluates such a sum while it reads the rows; to concatenate them it would need a temporary table.
 * @param columns the number of columns
 */
export function digestSql(statement: string, columns: number): string {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`)
  const values = names.map((name) => `IFNULL(${name}, '${NULL}')`)
  const hash = `CONV(LEFT(SHA2(CONCAT_WS('${SEPARATOR}', ${values.join(', ')}), 256), ${HASH_DIGITS}), 16, 10)`
  return `(WITH q (${names.join(', ')}) AS (${statement}) SELECT IFNULL(SUM(CAST(${hash} AS UNSIGNED)), 0) FROM q)`
}

/** The digest that `digestSql` returns for these rows; undefined if they cannot be digested. */
export function digestOf(rows: readonly Row[], columns: readonly string[]): string | undefined {
  // The driver keeps one value of columns with the same name.
  if (new Set(columns).size !== columns.length) return undefined
  let sum = 0n
  for (const row of rows) {
    const values = columns.map((column) => row[column])
    if (values.some((value) => Buffer.isBuffer(value) || SEPARATORS.test(String(value))))
      return undefined
    const text = values.map((value) => (value === null ? NULL : String(value))).join(SEPARATOR)
    sum += BigInt(`0x${sha256Hex(text).slice(0, HASH_DIGITS)}`)
  }
  return String(sum)
}
