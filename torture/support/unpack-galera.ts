import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { aptGet, aptObstacle } from '../../compat/setup/install-packages.ts'
import { Unavailable } from '../trial.ts'

const INSTALLED = '/usr/lib/galera/libgalera_smm.so'
/** The folder stays between runs. */
const FOLDER = resolve(import.meta.dirname, '../../.data/galera')

/**
 * The library that makes a MariaDB a node of a cluster: the installed one, or that of Debian's package, which is only unpacked.
 * @throws Unavailable if it cannot be downloaded
 */
export async function unpackGalera(): Promise<string> {
  if (existsSync(INSTALLED)) return INSTALLED
  const unpacked = join(FOLDER, 'usr/lib/libgalera_smm.so')
  if (existsSync(unpacked)) return unpacked
  const obstacle = aptObstacle()
  if (obstacle) throw new Unavailable(`Galera is missing, and ${obstacle}. Install galera-4.`)
  await mkdir(resolve(FOLDER, '..'), { recursive: true })
  const work = await mkdtemp(`${FOLDER}-`)
  try {
    await aptGet(['download', 'galera-4'], work).catch(async () => {
      await aptGet(['update'])
      await aptGet(['download', 'galera-4'], work)
    })
    const [archive = ''] = (await readdir(work)).filter((name) => name.endsWith('.deb'))
    await promisify(execFile)('dpkg', ['-x', join(work, archive), join(work, 'x')])
    await rename(join(work, 'x'), FOLDER)
  } catch (error) {
    throw new Unavailable(`Galera is missing and cannot be downloaded: ${String(error)}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return unpacked
}
