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
  'wp-content/mu-plugins/old-endpoint.php': join(OURS, 'old-endpoint/old-endpoint.php'),
}

/** Paths in WordPress's folder, and the targets of the symbolic links there. */
type Links = Readonly<Record<string, string>>

/**
 * Creates a folder with WordPress and our files: a copy of `given`, or Debian's package, unpacked but not installed, because it
 * depends on a web server.
 * @param folder in which it stays between runs
 * @param given a folder of WordPress [Debian's package]; it is not changed
 * @throws Error with the steps to take, if WordPress cannot be downloaded or the folder contains something else
 */
export async function unpackWordPress(
  folder: string,
  given: string | undefined,
  links = LINKS,
): Promise<string> {
  if (given !== undefined) assertWordPress(given)
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
      `Debian's package wordpress cannot be downloaded: ${obstacle}. Set WORDPRESS_DIR to a folder that contains WordPress.`,
    )
  }
  return join(await unpackDebian('wordpress', work), 'usr/share/wordpress')
}

function assertWordPress(folder: string): void {
  const missing = ['wp-load.php', 'wp-admin', 'wp-includes/version.php'].find(
    (path) => !existsSync(join(folder, path)),
  )
  if (missing === undefined) return
  throw new Error(
    `WORDPRESS_DIR is not a folder of WordPress: ${resolve(folder, missing)} does not exist. Set it to the folder that contains wp-load.php.`,
  )
}

/** Copies a WordPress without its uploads, which may be large. */
async function copy(given: string, work: string): Promise<string> {
  const target = join(work, 'x')
  const uploads = join(given, 'wp-content/uploads')
  const filter = (path: string): boolean => path !== uploads
  await cp(given, target, { recursive: true, verbatimSymlinks: true, filter })
  return target
}
