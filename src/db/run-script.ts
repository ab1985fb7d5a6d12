import { createConnection } from 'mysql2/promise'
import { connectionSettings } from './connection.ts'

/**
 * Runs a script of many statements, a dump for instance, over a connection of its own: the script may change the
 * session, and the pool's connections take one statement at a time.
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

/** Makes an empty database of this name on the server at `serverUrl` and gives its address. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await runScript(serverUrl, `CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
