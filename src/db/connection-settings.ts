import { readFileSync } from 'node:fs'
import type { Knex } from 'knex'
import type { SslOptions } from 'mysql2'
import { type DatabaseParameters, databaseParameters } from '../config/database-parameters.ts'

/**
 * The driver's settings for a `mysql://user:pw@host:port/name` address (`?socketPath=` for a Unix socket, `?ssl=1` for TLS, see
 * `DatabaseParameters`). Dates come as the strings that the tables hold: WordPress writes zero dates and
 * site-local times, which a driver's Date would turn into something else.
 */
export function connectionSettings(address: string): Knex.MySql2ConnectionConfig {
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
    connectTimeout: 5000,
    maxPreparedStatements: 16,
  }
}

type TlsSettings = Knex.MariaSslConfiguration & Pick<SslOptions, 'verifyIdentity'>

/** The driver gives up a connection that it can't encrypt, or whose certificate is not trusted. */
function tlsSettings({ sslMode, sslCa }: Omit<DatabaseParameters, 'socketPath'>): {
  readonly ssl?: TlsSettings
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
