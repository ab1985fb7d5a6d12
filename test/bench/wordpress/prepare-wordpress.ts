import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../../../compat/setup/find-program.ts'
import { installPhp } from '../../../compat/setup/install-packages.ts'
import { findPhpFpm } from '../../../compat/setup/php-fpm.ts'
import { unpackWordPress } from '../../../compat/setup/unpack-wordpress.ts'

const DATA = resolve(import.meta.dirname, '../../../.data/bench')
const COMPAT = resolve(import.meta.dirname, '../../../compat/wordpress')

/** The theme has the name of the theme of the test network's sites. */
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
  const { program: fpm, modules } = await findPhpFpm(DATA).catch(orWithoutWordPress)
  const nginx = await findProgram('nginx', 'nginx', DATA).catch(orWithoutWordPress)
  const root = await unpackWordPress(join(DATA, 'wordpress'), process.env.WORDPRESS_DIR, LINKS)
  const printVersion = `require '${root}/wp-includes/version.php'; echo $wp_version;`
  return {
    root,
    fpm,
    nginx,
    modules,
    versions: {
      wordpress: await ask('php', ['-r', printVersion]),
      php: await ask('php', ['-r', 'echo PHP_VERSION;']),
      nginx: (await ask(nginx, ['-v'])).replace(/^nginx version: nginx\//, ''),
    },
  }
}

/** @throws Error that also names the way without WordPress */
function orWithoutWordPress(error: Error): never {
  throw new Error(`${error.message} Or leave WordPress out: --with service,floor`)
}

async function ask(program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args)
  return (stdout || stderr).trim()
}
