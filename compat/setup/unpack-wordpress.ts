import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { aptGet, aptObstacle } from './install-packages.ts'

const OURS = resolve(import.meta.dirname, '../wordpress')

/** What of ours goes where in WordPress's folder. */
const LINKS = {
  'wp-config.php': 'wp-config.php',
  'wp-content/object-cache.php': 'object-cache.php',
  'wp-content/themes/four-places': 'theme',
}

/**
 * A folder with WordPress in it and what of ours belongs there: the one given, copied, or Debian's package, unpacked and not installed, as
 * it would bring a web server along.
 * @param folder where it is kept from run to run
 * @throws Error that says what to do, where there is no way to get it
 */
export async function unpackWordPress(folder: string, given: string | undefined): Promise<string> {
  const root = join(folder, given === undefined ? 'debian' : 'given')
  if (given !== undefined) await rm(root, { recursive: true, force: true })
  if (!existsSync(join(root, 'wp-load.php'))) {
    await mkdir(folder, { recursive: true })
    const work = await mkdtemp(join(folder, 'unpacking-'))
    const unpacked = given === undefined ? await unpackPackage(work) : await copy(given, work)
    await rename(unpacked, root)
    await rm(work, { recursive: true })
  }
  for (const [place, file] of Object.entries(LINKS)) {
    await rm(join(root, place), { force: true })
    await symlink(join(OURS, file), join(root, place))
  }
  return root
}

async function unpackPackage(work: string): Promise<string> {
  const obstacle = aptObstacle()
  if (obstacle) {
    throw new Error(
      `Debian's package wordpress can't be fetched: ${obstacle}. Set COMPAT_WORDPRESS to a folder with WordPress in it.`,
    )
  }
  process.stderr.write("Fetching Debian's package wordpress\n")
  // On a bare machine the lists of packages may be missing or old.
  await aptGet(['download', 'wordpress'], work).catch(async () => {
    await aptGet(['update'])
    await aptGet(['download', 'wordpress'], work)
  })
  const [archive = ''] = (await readdir(work)).filter((name) => name.endsWith('.deb'))
  await promisify(execFile)('dpkg', ['-x', join(work, archive), join(work, 'x')])
  return join(work, 'x/usr/share/wordpress')
}

async function copy(given: string, work: string): Promise<string> {
  const target = join(work, 'x')
  await cp(given, target, { recursive: true, verbatimSymlinks: true })
  return target
}
