import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { installPhp } from '../../compat/setup/install-packages.ts'
import { unpackWordPress } from '../../compat/setup/unpack-wordpress.ts'
import { findProgram } from './find-program.ts'

const DATA = resolve(import.meta.dirname, '../../.data/bench')
const COMPAT = resolve(import.meta.dirname, '../../compat/wordpress')

/** The theme has the name of the theme of the demo network's sites. */
const LINKS = {
  'wp-config.php': join(COMPAT, 'wp-config.php'),
  'wp-content/object-cache.php': join(COMPAT, 'object-cache.php'),
  'wp-content/themes/opal': join(import.meta.dirname, 'theme'),
  'wp-content/mu-plugins/same-work.php': join(import.meta.dirname, 'same-work.php'),
}

/** What several WordPress servers on one machine share: the files, and the programs that serve them. */
export type WordPressParts = {
  readonly root: string
  readonly fpm: string
  readonly nginx: string
  readonly modules: string
  readonly versions: Readonly<Record<string, string>>
}

/** Downloads what is missing: WordPress (Debian's, or the one in WORDPRESS_DIR), PHP and nginx. */
export async function prepareWordPress(): Promise<WordPressParts> {
  await installPhp()
  const series = await ask('php', ['-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'])
  const fpm = await findProgram(`php-fpm${series}`, `php${series}-fpm`, DATA)
  const nginx = await findProgram('nginx', 'nginx', DATA)
  const root = await unpackWordPress(join(DATA, 'wordpress'), process.env.WORDPRESS_DIR, LINKS)
  const printVersion = `require '${root}/wp-includes/version.php'; echo $wp_version;`
  return {
    root,
    fpm,
    nginx,
    // The modules of PHP's command line: a program that is only unpacked has no others.
    modules: `/etc/php/${series}/cli/conf.d`,
    versions: {
      wordpress: await ask('php', ['-r', printVersion]),
      php: await ask('php', ['-r', 'echo PHP_VERSION;']),
      nginx: (await ask(nginx, ['-v'])).replace(/^nginx version: nginx\//, ''),
    },
  }
}

async function ask(program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args)
  return (stdout || stderr).trim()
}
