import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { aptObstacle, unpackDebian } from './install-packages.ts'

const OURS = resolve(import.meta.dirname, '../wordpress')

/** What of ours goes where in WordPress's folder. */
const LINKS: Links = {
  'wp-config.php': join(OURS, 'wp-config.php'),
  'wp-content/object-cache.php': join(OURS, 'object-cache.php'),
  'wp-content/themes/four-places': join(OURS, 'theme'),
}

/** Places in WordPress's folder, and the files that are to be there. */
export type Links = Readonly<Record<string, string>>

/**
 * A folder with WordPress in it and what of ours belongs there: the one given, copied, or Debian's package, unpacked and not installed, as
 * it would bring a web server along.
 * @param folder where it is kept from run to run
 * @throws Error that says what to do, where there is no way to get it
 */
export async function unpackWordPress(
  folder: string,
  given: string | undefined,
  links = LINKS,
): Promise<string> {
  const root = join(folder, given === undefined ? 'debian' : 'given')
  if (given !== undefined) await rm(root, { recursive: true, force: true })
  if (!existsSync(join(root, 'wp-load.php'))) {
    await mkdir(folder, { recursive: true })
    const work = await mkdtemp(join(folder, 'unpacking-'))
    const unpacked = given === undefined ? await unpackPackage(work) : await copy(given, work)
    await rename(unpacked, root)
    await rm(work, { recursive: true })
  }
  for (const [place, file] of Object.entries(links)) {
    await mkdir(dirname(join(root, place)), { recursive: true })
    await rm(join(root, place), { force: true })
    await symlink(file, join(root, place))
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
  return join(await unpackDebian('wordpress', work), 'usr/share/wordpress')
}

async function copy(given: string, work: string): Promise<string> {
  const target = join(work, 'x')
  await cp(given, target, { recursive: true, verbatimSymlinks: true })
  return target
}
