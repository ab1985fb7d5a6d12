import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { fpmConf } from '../../../compat/setup/php-fpm.ts'
import { freePort } from '../../support/free-port.ts'
import { startRedis } from '../../support/redis.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { BenchDatabase } from '../setup/open-database.ts'
import { answers, startServer } from '../setup/start-server.ts'
import type { Undo } from '../setup/undo.ts'
import type { WordPressParts } from './prepare-wordpress.ts'
import { nginxConf, type ServerPlan } from './server-files.ts'

/** Two workers per CPU: more would only wait for one another. */
export const FPM_WORKERS = availableParallelism() * 2

/** Starts WordPress behind its own nginx and php-fpm, with or without an object cache in its own Redis. */
export async function startWordPress(
  name: 'wordpress' | 'cached',
  { root, fpm, nginx, modules }: WordPressParts,
  { url, site, token }: BenchDatabase,
  runFolder: string,
  undo: Undo,
): Promise<Contender> {
  const folder = join(runFolder, name)
  mkdirSync(folder)
  const cache = name === 'cached' ? await startCache(undo) : undefined
  const { hostname, port: databasePort, username, password, pathname } = new URL(url)
  const isRoot = process.getuid?.() === 0
  const plan: ServerPlan = {
    folder,
    root,
    port: await freePort(),
    workers: FPM_WORKERS,
    isRoot,
    environment: {
      COMPAT_DB_HOST: `${hostname}:${databasePort}`,
      COMPAT_DB_USER: decodeURIComponent(username),
      COMPAT_DB_PASSWORD: decodeURIComponent(password),
      COMPAT_DB_NAME: pathname.slice(1),
      COMPAT_DEBUG: '0',
      ...(cache ? { COMPAT_CACHE_URL: cache.url } : {}),
    },
  }
  writeFileSync(join(folder, 'php-fpm.conf'), fpmConf(plan))
  writeFileSync(join(folder, 'nginx.conf'), nginxConf(plan))
  const php = await startServer(undo, {
    name: 'php-fpm',
    command: [fpm, '--fpm-config', join(folder, 'php-fpm.conf'), ...(isRoot ? ['-R'] : [])],
    env: { PHP_INI_SCAN_DIR: modules },
    isReady: async () => existsSync(join(folder, 'php.sock')),
    logFile: join(folder, 'php-fpm-output.log'),
  })
  const origin = `http://127.0.0.1:${plan.port}`
  const web = await startServer(undo, {
    name: 'nginx',
    command: [nginx, '-e', join(folder, 'nginx-error.log'), '-c', join(folder, 'nginx.conf')],
    isReady: () => answers(origin),
    logFile: join(folder, 'nginx-output.log'),
  })
  const address = `${origin}${site.path.slice(0, -1)}`
  return {
    name,
    apiUrl: `${address}/wp-json/svc/v1`,
    frontUrl: address,
    headers: { authorization: `Bearer ${token}`, host: site.domain },
    processes: () => [...processTree(php.pid), ...processTree(web.pid)],
    ...(cache ? { clearCache: cache.empty } : {}),
  }
}

/** Starts a Redis for WordPress's object cache. */
async function startCache(undo: Undo) {
  const { url, stop } = await startRedis()
  undo.add(stop)
  const client = new Redis(url)
  undo.add(() => client.disconnect())
  return { url, empty: async () => void (await client.flushall()) }
}
