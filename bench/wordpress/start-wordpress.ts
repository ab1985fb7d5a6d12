import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { installPhp } from '../../compat/setup/install-packages.ts'
import { unpackWordPress } from '../../compat/setup/unpack-wordpress.ts'
import { freePort } from '../../test/support/demo.ts'
import { findRedisProgram, startRedis } from '../../test/support/redis.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { StageDatabase } from '../stage/open-database.ts'
import { answers, startServer } from '../stage/start-server.ts'
import type { Undo } from '../stage/undo.ts'
import { findProgram } from './find-program.ts'
import { fpmConf, nginxConf, type ServerPlan } from './server-files.ts'

const DATA = resolve(import.meta.dirname, '../../.data/bench')
const COMPAT = resolve(import.meta.dirname, '../../compat/wordpress')

/** The theme bears the name of the one that the demo network's sites have. */
const LINKS = {
  'wp-config.php': join(COMPAT, 'wp-config.php'),
  'wp-content/object-cache.php': join(COMPAT, 'object-cache.php'),
  'wp-content/themes/opal': join(import.meta.dirname, 'theme'),
  'wp-content/mu-plugins/same-work.php': join(import.meta.dirname, 'same-work.php'),
}

/** Two for each processor: more would only wait for one another. */
export const FPM_WORKERS = availableParallelism() * 2

/** What several WordPress on one machine share: the files, and the programs that serve them. */
export type WordPressParts = {
  readonly root: string
  readonly fpm: string
  readonly nginx: string
  readonly modules: string
  readonly versions: Readonly<Record<string, string>>
}

/** Fetches what is missing of Debian's WordPress, or the one at COMPAT_WORDPRESS, of PHP and nginx. */
export async function prepareWordPress(): Promise<WordPressParts> {
  await installPhp()
  const series = await ask('php', ['-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'])
  const fpm = await findProgram(`php-fpm${series}`, `php${series}-fpm`, DATA)
  const nginx = await findProgram('nginx', 'nginx', DATA)
  const root = await unpackWordPress(join(DATA, 'wordpress'), process.env.COMPAT_WORDPRESS, LINKS)
  const printVersion = `require '${root}/wp-includes/version.php'; echo $wp_version;`
  return {
    root,
    fpm,
    nginx,
    // Those of PHP's command line: a program that is only unpacked finds no others.
    modules: `/etc/php/${series}/cli/conf.d`,
    versions: {
      wordpress: await ask('php', ['-r', printVersion]),
      php: await ask('php', ['-r', 'echo PHP_VERSION;']),
      nginx: (await ask(nginx, ['-v'])).replace(/^nginx version: nginx\//, ''),
    },
  }
}

/** WordPress behind nginx and php-fpm of its own, with an object cache in a Redis of its own or without. */
export async function startWordPress(
  name: 'wordpress' | 'cached',
  { root, fpm, nginx, modules }: WordPressParts,
  { url, site, token }: StageDatabase,
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
    ...(cache ? { forget: cache.empty } : {}),
  }
}

/** A Redis that holds WordPress's object cache. */
async function startCache(undo: Undo) {
  const program = await findRedisProgram()
  if ('missing' in program) throw new Error('There is no redis-server here: leave out "cached".')
  const { url, stop } = await startRedis(program.path)
  undo.add(stop)
  const client = new Redis(url)
  undo.add(() => client.disconnect())
  return { url, empty: async () => void (await client.flushall()) }
}

async function ask(program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args)
  return (stdout || stderr).trim()
}
