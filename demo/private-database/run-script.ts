import { createConnection } from 'mysql2/promise'
import { connectionSettings } from '../../src/db/connection.ts'

/**
 * Runs a script of many statements, for example a dump, on a separate connection: the script may change the
 * session, and connections of the pool accept one statement at a time.
 */
export async function runScript(url: string, script: string): Promise<void> {
  const connection = await createConnection({
    ...connectionSettings(url),
    multipleStatements: true,
  } as Parameters<typeof createConnection>[0])
  try {
    await connection.query(script)
  } finally {
    await connection.end()
  }
}

/** Creates an empty database with this name on the server at `serverUrl` and returns its address. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await runScript(serverUrl, `CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
