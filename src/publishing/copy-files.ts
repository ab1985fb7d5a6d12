import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  type Stats,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { CopyQuery, FileError, FormerCopy, FoundCopy } from './copy-jobs.ts'
import { isFileNotFound, isGone } from './file-not-found.ts'
import { BROTLI_FILE, type CopyOwner, GZIP_FILE, OWNER_FILE, parseOwner } from './static-copy.ts'
import { COPY_FILE, isFolderInside } from './static-path.ts'
import { codeOf } from './storage-error.ts'

// Synchronous operations on the files of copies, for the worker thread: a call takes microseconds, an asynchronous one ten times as long.

/** The staging folder of the claim is gone: it was fenced. */
export class StagingGone extends Error {
  override readonly name = 'StagingGone'
}

/** The modification time of a file, in microseconds since 1970, as records store it. */
export function fileTimeOf({ mtimeMs }: Pick<Stats, 'mtimeMs'>): number {
  return Math.round(mtimeMs * 1000)
}

/** Finds the copy of a page in a folder, by the stats of its HTML file. The copy of another page, which may have a former URL of this page, does not count. */
export function findCopy({ location: folder, site, page, recorded }: CopyQuery): FoundCopy | null {
  const stats = statsOf(join(folder, COPY_FILE))
  if (!stats?.isFile()) return null
  const htmlBytes = stats.size
  const isAsRecorded = recorded?.htmlBytes === stats.size && recorded.fileTime === fileTimeOf(stats)
  if (isAsRecorded) return { htmlBytes, isAsRecorded }
  const owner = readOwnerSync(join(folder, OWNER_FILE))
  if (!belongsTo({ site, page }, owner)) return null
  return { htmlBytes, isAsRecorded, ...(owner ? { ownerUrl: owner.url } : {}) }
}

/** Undefined for a path that does not exist or is too long. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}

/** Copies without an owner were created by hand, or come from a backup. */
function belongsTo(
  { site, page }: Omit<FormerCopy, 'location'>,
  owner: CopyOwner | undefined,
): boolean {
  return owner === undefined || (owner.site === site && owner.page === page)
}

function readOwnerSync(path: string): CopyOwner | undefined {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const file = openSync(path, flags)
    try {
      return fstatSync(file).isFile() ? parseOwner(readFileSync(file)) : undefined
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (isFileNotFound(error) || codeOf(error) === 'ELOOP') return undefined
    throw error
  }
}

/** In this order the HTML disappears first, and a crash leaves the owner file, so that the rest is found. */
const REMOVAL_ORDER = [COPY_FILE, GZIP_FILE, BROTLI_FILE, OWNER_FILE]

/**
 * Removes the copy of a page, or what a crash has left of it, by renaming its files into the staging folder; then the folders that are empty.
 * The copy of another page stays.
 * @returns the folder to sync, if anything was removed
 * @throws StaticPathError, StagingGone, and errors of the file system
 */
export function removeCopy(folders: CopyFolders, copy: FormerCopy): string | undefined {
  const { root, staticDir, staging } = folders
  const { location: folder, page } = copy
  if (!isFolderInside(root, folder)) return undefined
  if (!belongsTo(copy, readOwnerSync(join(folder, OWNER_FILE)))) return undefined
  const removedName = (name: string) => join(staging, `${page}.former.${name}`)
  const removed = REMOVAL_ORDER.filter((name) =>
    moveFile(staging, join(folder, name), removedName(name)),
  )
  if (removed.includes(OWNER_FILE) && !belongsTo(copy, readOwnerSync(removedName(OWNER_FILE)))) {
    // Another process has published another page here since the check. It has written its owner file first.
    for (const name of removed) restoreFile(removedName(name), join(folder, name))
    return folder
  }
  const left = removeEmptyFolders(staticDir, folder)
  return removed.length > 0 || left !== folder ? left : undefined
}

/** Gives a removed file its former name, unless there is another file by now. */
function restoreFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

export type CopyFolders = {
  /** Real path of the folder of static copies. */
  readonly root: string
  readonly staticDir: string
  /** Path of the claim's staging folder. */
  readonly staging: string
}

/**
 * Renames a file out of or into the staging folder.
 * @returns false if the file, or the folder for it, does not exist
 * @throws StagingGone
 */
export function moveFile(staging: string, from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (!isGone(error)) throw error
    if (!folderExists(staging)) throw new StagingGone()
    return false
  }
}

/** Opens the folder: on a network file system that asks the server, while `stat` may answer from a cache. */
function folderExists(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'))
    return true
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}

/**
 * Removes a folder below `staticDir` and its parents, as far as they are empty.
 * @returns the first folder that is left
 */
export function removeEmptyFolders(staticDir: string, folder: string): string {
  let left = folder
  while (left.startsWith(staticDir + sep) && removeIfEmpty(left)) left = dirname(left)
  return left
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** Syncs a folder to disk: otherwise a crash could undo the renames in it. A folder that was removed meanwhile needs none. */
export function syncFolder(folder: string): void {
  let file: number
  try {
    file = openSync(folder, 'r')
  } catch (error) {
    if (isGone(error)) return
    throw error
  }
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** An error in a form that can leave the thread. */
export function describeError(error: unknown): FileError {
  return { code: codeOf(error), message: error instanceof Error ? error.message : String(error) }
}
