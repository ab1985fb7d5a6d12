import { installPhp } from '../../../compat/setup/install-packages.ts'
import { unpackWordPress } from '../../../compat/setup/unpack-wordpress.ts'
import { Unavailable } from '../trial.ts'

/** The folder of WordPress that stays between runs, shared with the compat tests. */
const FOLDER = '.data/compat/wordpress'

/**
 * Installs PHP and unpacks WordPress, unless both are there.
 * @returns the folder of WordPress
 * @throws Unavailable if they cannot be installed here
 */
export async function preparePhpWordPress(): Promise<string> {
  try {
    await installPhp()
    return await unpackWordPress(FOLDER, process.env.WORDPRESS_DIR)
  } catch (error) {
    throw new Unavailable(error instanceof Error ? error.message : String(error))
  }
}
