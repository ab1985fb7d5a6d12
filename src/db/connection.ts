import { readFileSync } from 'node:fs'
import { type ConnectionOptions, format, type SqlValue, type SslOptions } from 'mysql2'
import { type DatabaseParameters, databaseParameters } from '../host/config/database-parameters.ts'

/**
 * The driver's settings for a `mysql://user:pw@host:port/name` URL (`?socketPath=` for a Unix socket, `?ssl=1` for TLS; see
 * `DatabaseParameters`). Dates are returned as the strings in the tables: WordPress stores zero dates and site-local times, which a
 * JavaScript Date would change.
 */
export function connectionSettings(address: string, connectTimeoutMs?: number): ConnectionOptions {
  const url = new URL(address)
  const { hostname, port, username, password, pathname } = url
  const { socketPath, ...tls } = databaseParameters(url)
  return {
    ...(socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...tlsSettings(tls),
    charset: 'utf8mb4',
    dateStrings: true,
    supportBigNumbers: true,
    stringifyObjects: true,
    queryFormat: formatStatement,
    connectTimeout: connectTimeoutMs,
    maxPreparedStatements: 16,
  }
}

/** A text without values stays as it is: the driver would look for `?` in all of it. */
function formatStatement(sql: string, values: unknown, timezone = 'local'): string {
  const isComplete = values === undefined || (Array.isArray(values) && values.length === 0)
  return isComplete ? sql : format(sql, values as SqlValue[], true, timezone as 'local')
}

/** Where a URL's database is, without account and password. */
export function addressOf(url: string): string {
  const { host, port, socketPath, database } = connectionSettings(url)
  return `${socketPath ?? `${host}:${port}`}/${database}`
}

/** The same as a sentence, which says whether it is reached through a Unix socket or by TCP. */
export function describeAddress(url: string): string {
  const { host, port, socketPath, database } = connectionSettings(url)
  return socketPath
    ? `The database ${database}, through the socket ${socketPath}.`
    : `The database ${database}, by TCP at ${host}:${port}.`
}

/** The driver closes a connection that it cannot encrypt, or whose certificate is not trusted. */
function tlsSettings({ sslMode, sslCa }: Omit<DatabaseParameters, 'socketPath'>): {
  readonly ssl?: SslOptions
} {
  if (sslMode === 'DISABLED') return {}
  return {
    ssl: {
      rejectUnauthorized: sslMode !== 'REQUIRED',
      verifyIdentity: sslMode === 'VERIFY_IDENTITY',
      ...(sslCa === undefined ? {} : { ca: readFileSync(sslCa, 'utf8') }),
    },
  }
}
