import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sha256Hex } from '../../host/hash.ts'
import type { CheckedCopy, CopyFiles, OwnedCopy, PlacedCopy } from './copy-store.ts'
import { ifFound, isFileNotFound, isGone } from './file-not-found.ts'
import { makeFolder } from './make-folder.ts'
import { BROTLI_FILE, type CopyOwner, GZIP_FILE, OWNER_FILE, parseOwner } from './static-copy.ts'
import { assertInside, COPY_FILE } from './static-path.ts'
import { codeOf } from './storage-error.ts'

// Synchronous operations on the files of copies, for the worker thread: a call takes microseconds, an asynchronous one ten times as long.

/** The staging folder of the writer is gone: it was fenced. */
export class StagingGone extends Error {
  override readonly name = 'StagingGone'
}

/** The modification time of a file, in microseconds since 1970, as records store it. */
export function fileTimeOf({ mtimeMs }: Pick<Stats, 'mtimeMs'>): number {
  return Math.round(mtimeMs * 1000)
}

/** See `CopyStore.check`. */
export function checkCopy(
  site: number,
  location: string,
  { page, digest, fileTime, htmlBytes }: CheckedCopy,
): CopyFiles {
  const stats = ifFound(() => lstatSync(join(location, COPY_FILE), { throwIfNoEntry: false }))
  if (!stats?.isFile()) return 'missing'
  const isAsRecorded = stats.size === htmlBytes && fileTimeOf(stats) === fileTime
  if (isAsRecorded && (digest === undefined || isIntact(location, digest))) return 'intact'
  if (!belongsTo(site, page, readOwner(join(location, OWNER_FILE)))) return 'missing'
  return fileTime === undefined ? 'intact' : 'damaged'
}

const FORMS = [
  [GZIP_FILE, gunzipSync],
  [BROTLI_FILE, brotliDecompressSync],
] as const

/**
 * Whether the files of a copy contain what was recorded: the HTML by its digest, and both compressed forms by what they decompress to. Size
 * and time alone do not show a flipped bit.
 */
function isIntact(folder: string, digest: string): boolean {
  try {
    const html = readFileSync(join(folder, COPY_FILE))
    if (sha256Hex(html) !== digest) return false
    const { mtimeMs } = statSync(join(folder, COPY_FILE))
    for (const [name, decompress] of FORMS) {
      const path = join(folder, name)
      // The front uses a compressed form only if it has the time of the HTML.
      if (statSync(path).mtimeMs !== mtimeMs) return false
      const text = decompress(readFileSync(path), { maxOutputLength: html.length + 1 })
      if (!text.equals(html)) return false
    }
    return true
  } catch (error) {
    // The bytes are no compressed form, or decompress to more than the HTML.
    if (isFileNotFound(error) || /^(Z_|ERR_|BROTLI)/.test(codeOf(error))) return false
    throw error
  }
}

/** Copies without an owner were created by hand, or come from a backup. */
function belongsTo(site: number, page: number, owner: CopyOwner | undefined): boolean {
  return owner === undefined || (owner.site === site && owner.page === page)
}

function readOwner(path: string): CopyOwner | undefined {
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

/**
 * Reads a folder.
 * @returns the folders in it, and its copy if it has one with an owner
 */
export function readCopyFolder(folder: string): { folders: string[]; copy: OwnedCopy | undefined } {
  const folders: string[] = []
  let hasCopy = false
  for (const entry of ifFound(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    // Names that start with a dot are internal; symbolic links may lead out of the folder.
    if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(join(folder, entry.name))
    hasCopy ||= entry.isFile() && entry.name === COPY_FILE
  }
  const owner = hasCopy ? readOwner(join(folder, OWNER_FILE)) : undefined
  return { folders, copy: owner && { location: folder, owner } }
}

export type CopyFolders = {
  /** Real path of the folder of static copies. */
  readonly root: string
  readonly staticDir: string
  /** Path of the writer's staging folder. */
  readonly staging: string
}

/** In this order the HTML disappears first, and a crash leaves the owner file, so that the rest is found. */
const REMOVAL_ORDER = [COPY_FILE, GZIP_FILE, BROTLI_FILE, OWNER_FILE]

/**
 * Removes the copy of a page, or what a crash has left of it, by renaming its files into the staging folder; then the folders that are empty.
 * The copy of another page stays.
 * @returns the folder to sync, if anything was removed
 * @throws StaticPathError, StagingGone, and errors of the file system
 */
export function removeCopy(
  { root, staticDir, staging }: CopyFolders,
  site: number,
  { location: folder, page }: PlacedCopy,
): string | undefined {
  const real = realPath(folder)
  if (real === undefined) return undefined
  assertInside(root, real)
  if (!belongsTo(site, page, readOwner(join(folder, OWNER_FILE)))) return undefined
  const removedName = (name: string) => join(staging, `${page}.former.${name}`)
  const removed = REMOVAL_ORDER.filter((name) =>
    moveFile(staging, join(folder, name), removedName(name)),
  )
  if (removed.includes(OWNER_FILE) && !belongsTo(site, page, readOwner(removedName(OWNER_FILE)))) {
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
 * Creates a folder inside that of the static copies if it does not exist.
 * @returns the folders to sync: it, its new parents, and the one that existed
 * @throws StaticPathError, and errors of the file system
 */
export function makeFolderInside(root: string, folder: string): string[] {
  const existing = existingPart(root, folder)
  if (existing !== folder) makeFolder(folder)
  const changed = [folder]
  for (let path = folder; path !== existing; changed.push(path)) path = dirname(path)
  return changed
}

/** @throws StaticPathError if symbolic links lead the part of a path that exists out of the folder of the static copies */
function existingPart(root: string, path: string): string {
  let existing = path
  let real = realPath(existing)
  while (real === undefined) {
    existing = dirname(existing)
    real = realPath(existing)
  }
  assertInside(root, real)
  return existing
}

/** The path with symbolic links resolved, in one call of the system library; undefined if it does not exist. */
const realPath = (path: string): string | undefined => ifFound(() => realpathSync.native(path))

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
