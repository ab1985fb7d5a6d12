import type { Knex } from 'knex'

/**
 * The driver's settings for a `mysql://user:pw@host:port/name` address (`?socketPath=` for a Unix socket,
 * `?ssl=1` for TLS). Dates come as the strings that the tables hold: WordPress writes zero dates and
 * site-local times, which a driver's Date would turn into something else.
 */
export function connectionSettings(url: string): Knex.MySql2ConnectionConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const socketPath = searchParams.get('socketPath')
  return {
    ...(socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...(searchParams.has('ssl') ? { ssl: { rejectUnauthorized: true } } : {}),
    charset: 'utf8mb4',
    dateStrings: true,
    supportBigNumbers: true,
    stringifyObjects: true,
    connectTimeout: 5000,
    maxPreparedStatements: 16,
  }
}
