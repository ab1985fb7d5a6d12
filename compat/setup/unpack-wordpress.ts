import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readlink, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { aptObstacle, unpackDebian } from './install-packages.ts'

const OURS = resolve(import.meta.dirname, '../wordpress')

/** Paths in WordPress's folder, and our files for them. */
const LINKS: Links = {
  'wp-config.php': join(OURS, 'wp-config.php'),
  'wp-content/object-cache.php': join(OURS, 'object-cache.php'),
  'wp-content/themes/four-places': join(OURS, 'theme'),
}

/** Paths in WordPress's folder, and the targets of the symbolic links there. */
type Links = Readonly<Record<string, string>>

/**
 * Creates a folder with WordPress and our files: a copy of `given`, or Debian's package, unpacked but not installed, because it
 * depends on a web server.
 * @param folder in which it stays between runs
 * @throws Error with the steps to take, if WordPress cannot be downloaded
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
    // Another process may have been faster.
    if (!existsSync(join(root, 'wp-load.php'))) await rename(unpacked, root)
    await rm(work, { recursive: true })
  }
  for (const [path, file] of Object.entries(links)) {
    const link = join(root, path)
    // A link that is right stays, because another process may be using it.
    if ((await readlink(link).catch(() => undefined)) === file) continue
    await mkdir(dirname(link), { recursive: true })
    await rm(link, { force: true })
    await symlink(file, link)
  }
  return root
}

async function unpackPackage(work: string): Promise<string> {
  const obstacle = aptObstacle()
  if (obstacle) {
    throw new Error(
      `Debian's package wordpress cannot be downloaded: ${obstacle}. Set COMPAT_WORDPRESS to a folder that contains WordPress.`,
    )
  }
  return join(await unpackDebian('wordpress', work), 'usr/share/wordpress')
}

async function copy(given: string, work: string): Promise<string> {
  const target = join(work, 'x')
  await cp(given, target, { recursive: true, verbatimSymlinks: true })
  return target
}
