import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { installPhp } from '../../../compat/setup/install-packages.ts'
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

/**
 * Downloads what is missing: WordPress (Debian's, or the one in WORDPRESS_DIR), and PHP.
 * @returns the folder of WordPress, and versions
 */
export async function prepareWordPress() {
  await installPhp()
  const root = await unpackWordPress(join(DATA, 'wordpress'), process.env.WORDPRESS_DIR, LINKS)
  const ask = async (code: string): Promise<string> =>
    (await promisify(execFile)('php', ['-r', code])).stdout.trim()
  return {
    root,
    versions: {
      wordpress: await ask(`require '${root}/wp-includes/version.php'; echo $wp_version;`),
      php: await ask('echo PHP_VERSION;'),
    },
  }
}
