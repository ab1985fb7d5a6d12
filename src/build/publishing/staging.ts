import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileNotFound, unlessMissing } from './file-not-found.ts'
import { StaticPathError } from './static-path.ts'
import { codeOf } from './storage-error.ts'

/** The folder of the staging folders. It cannot collide with a host folder: hosts start with a letter or a digit. */
const WORK_FOLDER = '.work'

/** The end of the name of a staging folder that was taken away from its writer and is being removed. */
const FENCED = '.fenced'

/**
 * Creates the staging folder of a writer. Files are written into it and renamed to their location, and removed files are renamed into it. So once the
 * folder is renamed, the writer can change no copy any more, however late it wakes up. Never creates the folder of the static
 * copies.
 * @param staticDir absolute path
 * @param writer 16 hexadecimal digits, never used before
 * @returns its path
 * @throws errors of the file system, ENOENT if the folder of the static copies is missing
 */
export async function createStaging(staticDir: string, writer: string): Promise<string> {
  const path = stagingPath(staticDir, writer)
  await assertNoLink(staticDir)
  try {
    await mkdir(path)
  } catch (error) {
    if (!isFileNotFound(error)) throw error
    await mkdir(join(staticDir, WORK_FOLDER)).catch(ignoreExisting)
    await mkdir(path)
  }
  return path
}

/**
 * Ends the influence of a writer whose lease has ended. All its renames fail afterwards. On a network file system a client may still
 * have a handle of the renamed folder; it finds no file in it, since they are removed.
 */
export async function fenceStaging(staticDir: string, writer: string): Promise<void> {
  const path = stagingPath(staticDir, writer)
  await assertNoLink(staticDir)
  await rename(path, path + FENCED).catch(unlessMissing)
  await removeStaging(path + FENCED)
}

/** The ids of the writers that have a staging folder, fenced or not, sorted. */
export async function listStaging(staticDir: string): Promise<string[]> {
  await assertNoLink(staticDir)
  const names = (await readdir(join(staticDir, WORK_FOLDER)).catch(unlessMissing)) ?? []
  return [...new Set(names.map(writerOf))].sort()
}

/** Folders in it are removed with their contents, so it must not lead out of the folder of the static copies. */
async function assertNoLink(staticDir: string): Promise<void> {
  const path = join(staticDir, WORK_FOLDER)
  const stats = await lstat(path).catch(unlessMissing)
  if (stats?.isSymbolicLink()) throw new StaticPathError(`${path} is a symbolic link. Remove it.`)
}

function writerOf(name: string): string {
  return name.endsWith(FENCED) ? name.slice(0, -FENCED.length) : name
}

/** The path of a writer's staging folder. */
function stagingPath(staticDir: string, writer: string): string {
  return join(staticDir, WORK_FOLDER, writer)
}

/** At the end of the writer. Two processes may remove the same folder, and a late writer may still create files in it on a network file system. */
export async function removeStaging(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
}

export function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}
