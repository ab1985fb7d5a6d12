import { cpus, release, totalmem } from 'node:os'
import { describeConnectionFailure } from '../../../db/connection-failure.ts'
import { findNewerMigrations, pendingMigrations } from '../../../db/migrate.ts'
import { readRows } from '../../../db/sql.ts'
import type { Finding } from '../../../doctor/finding.ts'
import { POLL_ROW, readFeedState } from '../../../feed/feed-table.ts'
import { readVersion } from '../../../package-version.ts'
import { readIdentity } from '../../../publishing/network-identity.ts'
import { readNetworkWork } from '../../../work/work-status.ts'
import type { CliServices } from '../../cli-context.ts'
import type { Examination } from '../format-findings.ts'
import { type CleanText, cleanData } from './clean-text.ts'

/** Largest file of a bundle, in characters. */
export const MAX_FILE_LENGTH = 4 * 1024 * 1024
/** Tables of sites and plugins that are listed: the largest. */
const MAX_TABLES = 300

const FILES: Readonly<Record<string, string>> = {
  'versions.json':
    'versions of wp-frames, Node and the database server, and migrations that are pending or unknown',
  'settings.json':
    'the settings of this command: of secrets only whether they are set, of addresses with secrets the host',
  'database.json': 'settings of the database server on which the service depends',
  'tables.json': `sizes of tables: those of the service, and the ${MAX_TABLES} largest others`,
  'network.json':
    'the identity of the network, the owner of the static copies, and the number of sites',
  'findings.json':
    'what the doctor found: on the network with its message, on sites the kind and the number only',
  'work.json': 'pending and failing work by site, and why it fails; names in quotes are removed',
  'feed.json': 'the state of the change feed and of the poll',
  'metrics.txt': 'metrics of the running service at METRICS_HOST and METRICS_PORT',
  'log.jsonl': 'the last lines of the log in --log, with the fields that say nothing of the sites',
}

/** The files of a bundle, by their names. What cannot be read is replaced by the reason. */
export async function collectBundle(
  services: CliServices,
  examination: Examination,
  {
    clean,
    log,
    now,
  }: { readonly clean: CleanText; readonly log: string | undefined; readonly now: Date },
): Promise<ReadonlyMap<string, string>> {
  const { db, globals, config } = services
  const parts: Readonly<Record<string, () => unknown>> = {
    'versions.json': () => readVersions(services),
    'settings.json': () => config.shownSettings,
    'database.json': () => readServerSettings(services),
    'tables.json': () => readTableSizes(services),
    'network.json': () => readNetwork(services, examination),
    'findings.json': () => presentBundleFindings(examination.findings),
    'work.json': () => readWork(services),
    'feed.json': async () => ({
      feed: (await readFeedState(db, globals)) ?? null,
      poll: (await readFeedState(db, globals, POLL_ROW)) ?? null,
    }),
  }
  const files = new Map<string, string>()
  for (const [name, read] of Object.entries(parts)) {
    const data = await Promise.resolve().then(read).catch(presentFailure)
    files.set(name, limited(`${JSON.stringify(cleanData(data, clean), undefined, 2)}\n`))
  }
  files.set('metrics.txt', limited(clean(await readMetrics(services))))
  if (log !== undefined) files.set('log.jsonl', limited(log))
  return new Map([['README.txt', readme(now, [...files.keys()])], ...files])
}

const readme = (now: Date, names: readonly string[]): string =>
  [
    `Support bundle of wp-frames, ${now.toISOString()}.`,
    '',
    'It contains no secrets, no tokens and nothing of the content of sites: no markup, menus, titles or addresses of pages.',
    'It does contain host names, paths of folders, and sizes. Look through it before you send it.',
    '',
    ...names.map((name) => `${name}: ${FILES[name]}.`),
    '',
  ].join('\n')

const limited = (text: string): string =>
  text.length > MAX_FILE_LENGTH ? `${text.slice(0, MAX_FILE_LENGTH)}\n[cut off]\n` : text

/** The messages of the server can name rows, so only the kind of an error is kept. */
function presentFailure(error: unknown): object {
  return { not_read: describeConnectionFailure(error).message }
}

async function readVersions({ db, globals }: CliServices): Promise<object> {
  const program = {
    wp_frames: await readVersion(),
    node: process.version,
    platform: `${process.platform} ${process.arch} ${release()}`,
    cpus: cpus().length,
    memory_mb: Math.round(totalmem() / 1024 / 1024),
  }
  try {
    const [database] = await readRows(
      db,
      'SELECT @@version AS version, @@version_comment AS comment',
      {},
    )
    const pending = await pendingMigrations(db, globals.basePrefix)
    const newer = await findNewerMigrations(db, globals.basePrefix)
    return { ...program, database, migrations: { pending, ...newer } }
  } catch (error) {
    return { ...program, database: presentFailure(error) }
  }
}

/** What matters for locks, snapshots, packets, the binlog and the character sets. */
const SERVER_SETTINGS = `
  autocommit binlog_format binlog_row_image character_set_server collation_server
  enforce_gtid_consistency gtid_mode innodb_buffer_pool_size innodb_flush_log_at_trx_commit innodb_lock_wait_timeout
  innodb_rollback_on_timeout innodb_snapshot_isolation log_bin lower_case_table_names max_allowed_packet
  max_connections max_statement_time max_user_connections query_cache_type read_only
  server_id sql_mode super_read_only sync_binlog system_time_zone
  time_zone transaction_isolation tx_isolation wait_timeout wsrep_on
  wsrep_sync_wait`
  .trim()
  .split(/\s+/)

async function readServerSettings({ db }: CliServices): Promise<object> {
  const rows = await readRows<{ Variable_name: string; Value: string }>(
    db,
    'SHOW GLOBAL VARIABLES WHERE Variable_name IN (:names)',
    { names: SERVER_SETTINGS },
  )
  return Object.fromEntries(rows.map((row) => [row.Variable_name, row.Value]))
}

async function readTableSizes({ db, globals }: CliServices): Promise<object> {
  const read = (condition: string, limit: number) =>
    readRows<Record<string, unknown>>(
      db,
      `SELECT TABLE_NAME AS name, ENGINE AS engine, TABLE_COLLATION AS collation, TABLE_ROWS AS about_rows,
          DATA_LENGTH AS data_bytes, INDEX_LENGTH AS index_bytes
        FROM information_schema.TABLES
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' AND ${condition}
        ORDER BY DATA_LENGTH + INDEX_LENGTH DESC, TABLE_NAME LIMIT :limit`,
      { own: `${globals.basePrefix.replaceAll('_', '\\_')}svc\\_%`, limit },
    )
  return {
    of_the_service: await read('TABLE_NAME LIKE :own', MAX_TABLES),
    others: await read('TABLE_NAME NOT LIKE :own', MAX_TABLES),
  }
}

async function readNetwork(
  { db, globals, copies }: CliServices,
  { sites }: Examination,
): Promise<object> {
  const { identity } = await readIdentity(db, globals)
  return {
    ...identity,
    copies: copies && { setting: copies.setting, belongs_to: (await copies.readNetwork()) ?? null },
    sites: sites.length,
    examined: sites.map(({ blogId }) => blogId).slice(0, MAX_TABLES),
  }
}

/** Messages about sites name pages, menus and frames. */
function presentBundleFindings(findings: readonly Finding[]): object {
  const counts = new Map<string, number>()
  for (const { site, check, severity } of findings) {
    const key = JSON.stringify([site, check, severity])
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return {
    network: findings
      .filter(({ site }) => site === null)
      .map(({ check, severity, message }) => ({ check, severity, message })),
    sites: [...counts]
      .map(([key, count]) => ({ key: JSON.parse(key), count }))
      .filter(({ key: [site] }) => site !== null)
      .map(({ key: [site, check, severity], count }) => ({ site, check, severity, count })),
  }
}

async function readWork({ db, globals }: CliServices): Promise<object> {
  const { total, siteCount, sites, failures } = await readNetworkWork(db, globals)
  return {
    total,
    site_count: siteCount,
    sites: sites.map(({ domain: _, path: __, ...status }) => status),
    failures: failures.map(({ name: _, error, ...failure }) => ({
      ...failure,
      error: error?.replace(/"[^"]*"/g, '"[name]"') ?? null,
    })),
  }
}

async function readMetrics({ config, db }: CliServices): Promise<string> {
  const { metricsHost: host, metricsPort: port } = config
  if (port === 0) return 'METRICS_PORT is not set.\n'
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(db.timings.cli.metricsMs) })
    return await response.text()
  } catch (error) {
    const { cause, name } = error as Error
    return `No service answered at ${address}: ${(cause as NodeJS.ErrnoException)?.code ?? name}.\n`
  }
}
