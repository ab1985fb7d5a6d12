import { promisify } from 'node:util'
import type { Timings } from '../host/timings.ts'
import { BackslashModeError } from './database-error.ts'
import { type RawConnection, withReplyTimeout } from './reply-timeout.ts'
import type { StatementQueueOptions } from './statement-queue.ts'

export type SessionSettings = {
  readonly timings: Timings
  /** How long a statement waits for a row or table lock, in seconds [`db.lockWaitSeconds`]. */
  readonly lockWaitSeconds?: number
  /**
   * `single`: each statement is sent at once. `queued`: those that wait are sent one by one, before the next one that is needed. `batched`: they are
   * sent in one packet with it.
   */
  readonly statements: 'single' | 'queued' | 'batched'
  readonly isolation?: Isolation
  /** How long a transaction that has written may be idle before the server ends its connection [no limit]. */
  readonly maxIdleSeconds?: number
  /** How long a statement may run, in seconds; on MySQL one that only reads [no limit]. */
  readonly maxStatementSeconds?: number
}

/** Levels of pages and terms that a statement follows. By default servers stop after 1,000, MariaDB without an error. */
const MAX_NESTING = 100_000

/** The comments `M!` are for MariaDB, those with `!80000` for MySQL: MariaDB skips them. */
const sessionVariables = ({
  timings,
  lockWaitSeconds = timings.db.lockWaitSeconds,
  maxIdleSeconds = 0,
  maxStatementSeconds = 0,
}: SessionSettings): string =>
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00', " +
  // Servers with skip-character-set-client-handshake ignore the driver's character set.
  'character_set_client = utf8mb4, character_set_results = utf8mb4, collation_connection = utf8mb4_unicode_ci, ' +
  `innodb_lock_wait_timeout = ${lockWaitSeconds}, lock_wait_timeout = ${lockWaitSeconds} ` +
  `/*M!100300 , idle_write_transaction_timeout = ${maxIdleSeconds}, max_recursive_iterations = ${MAX_NESTING} */` +
  `/*!80000 , cte_max_recursion_depth = ${MAX_NESTING} */` +
  (maxStatementSeconds > 0
    ? `/*M!100100 , max_statement_time = ${maxStatementSeconds} */` +
      `/*!80000 , max_execution_time = ${maxStatementSeconds * 1000} */`
    : '') +
  // MySQL ends any idle connection then; the pool replaces it.
  (maxIdleSeconds > 0 ? `/*!80000 , wait_timeout = ${maxIdleSeconds} */` : '')
const isolationLevel = (isolation: Isolation): string =>
  `SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`

type Isolation = 'READ COMMITTED' | 'REPEATABLE READ'

/**
 * Settings of every session: strict mode, so that values are never truncated or changed, but with zero dates, which WordPress writes
 * (wpdb::set_sql_mode removes NO_ZERO_DATE); UTC, because dates are strings here; READ COMMITTED, so that a locking read and the plain
 * reads after it see the same rows; REPEATABLE READ for snapshots.
 * @throws BackslashModeError
 * @returns how much a packet of this session may contain
 */
export async function prepareSession(
  connection: RawConnection,
  settings: SessionSettings,
): Promise<Pick<StatementQueueOptions, 'maxStatements' | 'maxBytes'>> {
  const { timings, statements, isolation = 'READ COMMITTED' } = settings
  const query = promisify<string, unknown>(connection.query.bind(connection))
  const send = (statement: string): Promise<unknown> =>
    withReplyTimeout(connection, query(statement), timings.db.replyTimeoutMs)
  for (const statement of [sessionVariables(settings), isolationLevel(isolation)])
    await send(statement)
  if (statements === 'single') return { maxStatements: 1, maxBytes: MAX_PACKET_BYTES }
  const rows = await send(READ_LIMITS)
  const [{ modes, maxPacket }] = rows as [{ modes: string; maxPacket: number }]
  const isBatched = statements === 'batched'
  if (isBatched && modes.includes(BACKSLASH_MODE)) throw new BackslashModeError()
  const cluster = await send(READ_CLUSTER)
  const [{ Value: isCluster } = { Value: 'OFF' }] = cluster as { Value: string }[]
  return {
    maxStatements: isBatched && isCluster !== 'ON' ? MAX_PACKET_STATEMENTS : 1,
    maxBytes: Math.min(MAX_PACKET_BYTES, Math.floor(maxPacket / 2)),
  }
}

/** The mode of the server counts too: a proxy may send a statement through another session. */
const READ_LIMITS =
  "SELECT CONCAT(@@GLOBAL.sql_mode, ',', @@SESSION.sql_mode) AS modes, @@max_allowed_packet AS maxPacket"

/**
 * A node of a Galera cluster takes back a transaction that conflicts with one of another node, at any time. Between two statements of a packet the rest
 * of the packet still runs, without the statements before, and the commit succeeds. So a node gets one statement at a time, and answers the next
 * one with an error.
 */
const READ_CLUSTER = "SHOW SESSION VARIABLES LIKE 'wsrep_on'"

/** The driver escapes quotes in values with backslashes, which the server would take for characters in this mode. */
export const BACKSLASH_MODE = 'NO_BACKSLASH_ESCAPES'

/** Statements in a packet. */
export const MAX_PACKET_STATEMENTS = 100
/** Size of a packet of several statements, in bytes. A larger statement is sent by itself. */
export const MAX_PACKET_BYTES = 1024 * 1024
