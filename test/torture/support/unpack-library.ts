import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { aptObstacle, unpackDebian } from '../../../compat/setup/install-packages.ts'
import { Unavailable } from '../trial.ts'

/** The folders of unpacked packages stay between runs. */
const DATA = resolve(import.meta.dirname, '../../../.data')
/** Debian's name of the folder of libraries, by Node's name of the processor. */
const MULTIARCH: Readonly<Record<string, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
}

/** The library that makes a MariaDB a node of a cluster. @throws Unavailable */
export function unpackGalera(): Promise<string> {
  return unpackLibrary('galera-4', 'usr/lib/galera/libgalera_smm.so', 'usr/lib/libgalera_smm.so')
}

/** The library that changes the clock of a process that preloads it. @throws Unavailable */
export function unpackFaketime(): Promise<string> {
  const path = `usr/lib/${MULTIARCH[process.arch]}/faketime/libfaketimeMT.so.1`
  return unpackLibrary('libfaketime', path)
}

/**
 * The path of a library: the installed one, or that of Debian's package, which is only unpacked.
 * @param path its path once the package is installed
 * @param pathInPackage its path in the package, if a script of the package links it to the other one
 * @throws Unavailable if it cannot be downloaded
 */
async function unpackLibrary(name: string, path: string, pathInPackage = path): Promise<string> {
  if (existsSync(join('/', path))) return join('/', path)
  const folder = join(DATA, name)
  const unpacked = join(folder, pathInPackage)
  if (existsSync(unpacked)) return unpacked
  const obstacle = aptObstacle()
  if (obstacle) throw new Unavailable(`${name} is missing, and ${obstacle}. Install it.`)
  await mkdir(DATA, { recursive: true })
  const work = await mkdtemp(`${folder}-`)
  try {
    await rename(await unpackDebian(name, work), folder)
  } catch (error) {
    throw new Unavailable(`${name} is missing and cannot be downloaded: ${String(error)}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return unpacked
}
