import { openSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGuarded } from '../../demo/private-database/guarded-process.ts'
import { freePort } from '../../test/support/free-port.ts'

const SCRIPT = resolve(import.meta.dirname, '../wordpress/router.php')
const START_TIMEOUT_MS = 30_000

/** WordPress behind PHP's built-in web server: `compat.php`, and the pages and the REST API of all sites. */
export type WordPressServer = { readonly url: string; stop(): Promise<void> }

/** The environment variables that `compat/wordpress/wp-config.php` reads. */
export function wordpressEnvironment(
  databaseUrl: string,
  pluginsDir = '',
): Readonly<Record<string, string>> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  return {
    COMPAT_DB_HOST: `${hostname}:${port || 3306}`,
    COMPAT_DB_USER: decodeURIComponent(username),
    COMPAT_DB_PASSWORD: decodeURIComponent(password),
    COMPAT_DB_NAME: pathname.slice(1),
    ...(pluginsDir === '' ? {} : { COMPAT_PLUGINS_DIR: pluginsDir }),
  }
}

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
  const listen = `127.0.0.1:${await freePort()}`
  const environment = {
    ...wordpressEnvironment(databaseUrl, pluginsDir),
    PHP_CLI_SERVER_WORKERS: 4,
  }
  const server = startGuarded(
    [
      'env',
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
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
  // A page of WordPress would need an installed network.
  for (const start = Date.now(); !(await answers(`${url}/compat.php`)); await sleep(50)) {
    if (ended !== undefined || Date.now() - start > START_TIMEOUT_MS)
      throw new Error(`PHP's web server did not start; see ${logFile}`)
  }
  return { url, stop: () => server.stop() }
}

/** Whether a server answers at an address, whatever it answers. */
export async function answers(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  )
}
