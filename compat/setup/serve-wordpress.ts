import { openSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGuarded } from '../../demo/private-database/guarded-process.ts'
import { freePort } from '../../test/support/free-port.ts'

const SCRIPT = resolve(import.meta.dirname, '../wordpress/router.php')
const START_TIMEOUT_MS = 30_000

/** WordPress behind PHP's built-in web server: `compat.php`, and the pages and the REST API of all sites. */
export type WordPressServer = { readonly url: string; stop(): Promise<void> }

/**
 * Starts it on a free port of 127.0.0.1. It ends with this process, however that ends.
 * @param pluginsDir a folder of plugins [WordPress's own]
 */
export async function serveWordPress(
  root: string,
  databaseUrl: string,
  logFile: string,
  pluginsDir = '',
): Promise<WordPressServer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const listen = `127.0.0.1:${await freePort()}`
  const environment = [
    `COMPAT_DB_HOST=${hostname}:${port || 3306}`,
    `COMPAT_DB_USER=${decodeURIComponent(username)}`,
    `COMPAT_DB_PASSWORD=${decodeURIComponent(password)}`,
    `COMPAT_DB_NAME=${pathname.slice(1)}`,
    `COMPAT_PLUGINS_DIR=${pluginsDir}`,
    'PHP_CLI_SERVER_WORKERS=4',
  ]
  const server = startGuarded(
    [
      'env',
      ...environment,
      'php',
      '-d',
      'error_reporting=E_ALL & ~E_DEPRECATED',
      '-d',
      'memory_limit=512M',
      '-d',
      'opcache.enable_cli=1',
      '-S',
      listen,
      '-t',
      root,
      SCRIPT,
    ],
    { output: openSync(logFile, 'a') },
  )
  const url = `http://${listen}`
  let ended: number | null | undefined
  void server.exited.then((code) => {
    ended = code
  })
  for (const start = Date.now(); !(await answers(url)); await sleep(50)) {
    if (ended !== undefined || Date.now() - start > START_TIMEOUT_MS)
      throw new Error(`PHP's web server did not start; see ${logFile}`)
  }
  return { url, stop: () => server.stop() }
}

async function answers(url: string): Promise<boolean> {
  // A page of WordPress would need an installed network.
  return fetch(`${url}/compat.php`).then(
    () => true,
    () => false,
  )
}
