import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { installPhp } from '../../compat/setup/install-packages.ts'
import { unpackWordPress } from '../../compat/setup/unpack-wordpress.ts'
import { freePort } from '../../test/support/demo.ts'
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
  'wp-content/themes/opal': join(import.meta.dirname, 'theme'),
  'wp-content/mu-plugins/same-work.php': join(import.meta.dirname, 'same-work.php'),
}

/** Two for each processor: more would only wait for one another. */
export const FPM_WORKERS = availableParallelism() * 2

export type WordPressContender = Contender & { readonly versions: Readonly<Record<string, string>> }

/** Debian's WordPress, or the one at COMPAT_WORDPRESS, behind nginx and php-fpm of its own. */
export async function startWordPress(
  { url, site, token }: StageDatabase,
  folder: string,
  undo: Undo,
): Promise<WordPressContender> {
  await installPhp()
  const version = await ask('php', ['-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'])
  const fpm = await findProgram(`php-fpm${version}`, `php${version}-fpm`, DATA)
  const nginx = await findProgram('nginx', 'nginx', DATA)
  const root = await unpackWordPress(join(DATA, 'wordpress'), process.env.COMPAT_WORDPRESS, LINKS)
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
    },
  }
  writeFileSync(join(folder, 'php-fpm.conf'), fpmConf(plan))
  writeFileSync(join(folder, 'nginx.conf'), nginxConf(plan))
  const origin = `http://127.0.0.1:${plan.port}`
  const php = startServer(undo, {
    name: 'php-fpm',
    command: [fpm, '--fpm-config', join(folder, 'php-fpm.conf'), ...(isRoot ? ['-R'] : [])],
    // The modules that PHP's command line has: a program that is only unpacked finds no others.
    env: { PHP_INI_SCAN_DIR: `/etc/php/${version}/cli/conf.d` },
    isReady: async () => existsSync(join(folder, 'php.sock')),
    logFile: join(folder, 'php-fpm-output.log'),
  })
  const web = startServer(undo, {
    name: 'nginx',
    command: [nginx, '-e', join(folder, 'nginx-error.log'), '-c', join(folder, 'nginx.conf')],
    isReady: () => answers(origin),
    logFile: join(folder, 'nginx-output.log'),
  })
  const servers = [await php, await web]
  const address = `${origin}${site.path.slice(0, -1)}`
  return {
    name: 'wordpress',
    apiUrl: `${address}/wp-json/svc/v1`,
    frontUrl: address,
    headers: { authorization: `Bearer ${token}`, host: site.domain },
    processes: () => servers.flatMap(({ pid }) => processTree(pid)),
    versions: {
      wordpress: await ask('php', [
        '-r',
        `require '${root}/wp-includes/version.php'; echo $wp_version;`,
      ]),
      php: await ask('php', ['-r', 'echo PHP_VERSION;']),
      nginx: (await ask(nginx, ['-v'])).replace(/^nginx version: nginx\//, ''),
    },
  }
}

async function ask(program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args)
  return (stdout || stderr).trim()
}
