import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'

/** The server whose binlog is read. */
export type FeedServer = {
  /** Changes when another server answers at the same address: host name, port and the server's own id. */
  readonly identity: string
  /** The current end of the binlog. It may name transactions that reads do not see yet. */
  readonly position: string
}

/** Settings of the server by their names, in lower case; those that the server does not have are missing. */
export type FeedSettings = {
  readonly isMariaDb: boolean
  readonly values: ReadonlyMap<string, string>
}

/** The feed cannot work before an operator changes something. */
export class FeedUnusableError extends Error {
  override readonly name = 'FeedUnusableError'
}

const SETTINGS = [
  'version',
  'hostname',
  'port',
  'server_id',
  'server_uuid',
  'read_only',
  'log_bin',
  'binlog_format',
  'binlog_row_image',
  'binlog_expire_logs_seconds',
  'expire_logs_days',
  'gtid_mode',
  'enforce_gtid_consistency',
  'binlog_order_commits',
  'binlog_transaction_compression',
  'binlog_row_value_options',
]

/** Reads the settings of the server on which the feed depends. Needs no privilege. */
export async function readFeedSettings(db: Db): Promise<FeedSettings> {
  const rows = await readRows<{ Variable_name: string; Value: string }>(
    db,
    'SHOW GLOBAL VARIABLES WHERE Variable_name IN (:names)',
    { names: SETTINGS },
  )
  const values = new Map(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value]))
  return { isMariaDb: /mariadb/i.test(values.get('version') ?? ''), values }
}

/** Identifies the server with these settings. */
export function serverIdentity({ values }: FeedSettings): string {
  const id = values.get('server_uuid') ?? values.get('server_id')
  return [values.get('hostname'), values.get('port'), id].join(' ')
}

/**
 * Identifies the server, and reads the current end of its binlog.
 * @throws FeedUnusableError if its settings do not allow a feed
 */
export async function readFeedServer(db: Db): Promise<FeedServer> {
  const settings = await readFeedSettings(db)
  const problem = findBlockingProblem(settings)
  if (problem !== undefined) throw new FeedUnusableError(`${problem.message} ${problem.fixHint}`)
  const position = settings.isMariaDb ? '@@GLOBAL.gtid_binlog_pos' : '@@GLOBAL.gtid_executed'
  const [row] = await readRows<{ position: string }>(db, `SELECT ${position} AS position`, {})
  // MySQL breaks long sets into lines.
  return { identity: serverIdentity(settings), position: (row?.position ?? '').replace(/\s/g, '') }
}

/** Why the settings of a server do not allow a feed, and what to set; undefined if they do. */
export function findBlockingProblem({
  isMariaDb,
  values,
}: FeedSettings): { readonly message: string; readonly fixHint: string } | undefined {
  if (values.get('log_bin') !== 'ON')
    return {
      message: 'The binlog of the database server is off.',
      fixHint: 'Set log_bin in the configuration of the server, or unset FEED_DATABASE_URL.',
    }
  const format = values.get('binlog_format') ?? 'ROW'
  if (format !== 'ROW')
    return {
      message: `The binlog contains statements instead of rows (binlog_format=${format}).`,
      fixHint:
        "Run SET GLOBAL binlog_format = 'ROW', and write binlog_format = ROW to the configuration of the server. Connections keep the format with which they began: restart PHP and other programs that write.",
    }
  if (isMariaDb) return undefined
  if (values.get('gtid_mode') !== 'ON')
    return {
      message: 'The transactions of the database server have no GTIDs.',
      fixHint: 'Set gtid_mode=ON and enforce_gtid_consistency=ON.',
    }
  if (values.get('binlog_transaction_compression') === 'ON')
    return {
      message: 'The binlog contains compressed transactions, which the feed cannot read.',
      fixHint: 'Set binlog_transaction_compression=OFF.',
    }
  return undefined
}
