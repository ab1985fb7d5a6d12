import { createHash } from 'node:crypto'
import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Db } from '../db/database.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { isFileNotFound } from './file-not-found.ts'
import type { NetworkIdentity } from './network-identity.ts'

/** The marker file. It distinguishes the folder of static copies from the empty mount point of a file system that is not mounted. */
export const MARKER = '.wp-frames'

/** The identity of the network that a folder belongs to; undefined if there is no folder, or its marker file names none. */
export async function readFolderNetwork(staticDir: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(staticDir, MARKER), 'utf8')
    return /^network: ([0-9a-f-]{36})$/m.exec(text)?.[1]
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}

/** Why a folder may not be used with this database; undefined if it may, or has no marker file. */
export async function findForeignFolder(
  { identity, isKnownDatabase }: NetworkIdentity,
  staticDir: string,
): Promise<string | undefined> {
  const path = resolve(staticDir)
  const owner = await readFolderNetwork(path)
  if (owner !== undefined && owner !== identity)
    return `"${path}" belongs to another network: its file ${MARKER} names ${owner}, this database is ${identity}. Set STATIC_DIR to a folder of its own, or DATABASE_URL to the database of that network. If this database replaces it, for example from an old backup, run: wp-frames network moved --take-folder`
  return isKnownDatabase ? undefined : MOVED_OR_COPIED
}

/** The operator decides, because a database does not show whether its original is still in use. */
export const MOVED_OR_COPIED =
  'The database is at a new name: it was moved or copied. If it was moved, run: wp-frames network moved. If it is a copy and the original stays in use, for example for staging, run: wp-frames network copied. Until then nothing is published, no page cache is purged, and nothing is passed to LEGACY_URL'

/** Why nothing may be written into a folder: its path was used before and the marker file is missing. Undefined if there is no problem. */
export async function findMissingMarker(
  db: Db,
  globals: GlobalTables,
  staticDir: string,
): Promise<string | undefined> {
  const path = resolve(staticDir)
  const marker = join(path, MARKER)
  if (await pathExists(marker)) return undefined
  const used = await db
    .sql(foldersTable(globals))
    .where({ digest: pathDigest(path) })
    .first('digest')
  return used === undefined
    ? undefined
    : `"${path}" was used for static copies before, but the file ${MARKER} is missing. Mount the file system that belongs there. If the folder is new on purpose, create the file: mkdir -p '${path}' && touch '${marker}'`
}

export const foldersTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_static_folders`

export const pathDigest = (path: string): Buffer => createHash('sha256').update(path).digest()

export async function pathExists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isFileNotFound(error)) return false
    throw error
  }
}

/**
 * Why no copies can be written into the folder of the static copies; undefined if they can. A missing folder is no problem: the first copy
 * creates it. The check writes nothing.
 */
export async function findStaticFolderProblem(staticDir: string): Promise<string | undefined> {
  const path = await nearestExisting(resolve(staticDir))
  if (!(await stat(path)).isDirectory()) return `"${path}" is not a folder`
  try {
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `"${path}" is not writable (${code})`
  }
  const { bavail } = await statfs(path)
  return bavail === 0 ? `the disk of "${path}" is full` : undefined
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path)
    return path
  } catch (error) {
    if (isFileNotFound(error) && dirname(path) !== path) return nearestExisting(dirname(path))
    throw error
  }
}
