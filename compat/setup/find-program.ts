import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { aptObstacle, unpackDebian } from './install-packages.ts'

/**
 * Finds a server program of one of Debian's packages: the installed one, else one that is only unpacked, because installing it would
 * start a system service.
 * @param folder in which the unpacked program stays between runs
 * @throws Error that names the package to install, if it cannot be downloaded
 */
export async function findProgram(
  name: string,
  packageName: string,
  folder: string,
): Promise<string> {
  const installed = ['/usr/sbin', '/usr/bin', '/usr/local/sbin'].map((at) => join(at, name))
  const root = join(folder, packageName)
  const found = [...installed, join(root, 'usr/sbin', name)].find(existsSync)
  if (found !== undefined) return found
  const obstacle = aptObstacle()
  if (obstacle) {
    throw new Error(`${name} is missing, and ${obstacle}. Install ${packageName}.`)
  }
  await mkdir(folder, { recursive: true })
  const work = await mkdtemp(join(folder, 'unpacking-'))
  const unpacked = await unpackDebian(packageName, work)
  // Another process may have been faster.
  if (!existsSync(root)) await rename(unpacked, root)
  await rm(work, { recursive: true })
  return join(root, 'usr/sbin', name)
}
