import { realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { type Address, parsePageUrl } from '../wordpress/permalinks/address.ts'
import { isFileNotFound } from './file-not-found.ts'
import { makeFolderSync } from './make-folder.ts'

/** The file name of a static copy in its folder. */
export const COPY_FILE = 'index.html'

/** Maximum length of a file name on most file systems. */
const MAX_NAME_BYTES = 255

/**
 * The folder of a page's static copy below `staticDir`: `<host>/<path>`, percent-decoded, as web servers map URLs to files. Undefined for a
 * URL that cannot be mapped to a folder: with a query, or with reserved or overlong segments.
 */
export function copyFolderForUrl(staticDir: string, url: string): string | undefined {
  const address = url.includes('?') ? undefined : parsePageUrl(url)
  return address && copyFolder(staticDir, address)
}

/** The folder of the copy at an address. The query (`?utm_source=`) is ignored. */
export function copyFolder(
  staticDir: string,
  { host, segments: names }: Address,
): string | undefined {
  return names.every(isName) ? join(staticDir, host, ...names) : undefined
}

/** Segments must not collide with the files of copies, nor with internal files, whose names start with a dot. */
function isName(name: string): boolean {
  return (
    name !== '' &&
    !name.startsWith('.') &&
    !name.startsWith(COPY_FILE) &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES
  )
}

/** A symbolic link in the folder of static copies leads out of that folder. */
export class StaticPathError extends Error {
  override readonly name = 'StaticPathError'
  readonly code = 'STATIC_PATH'
}

/**
 * Checks that the existing part of a path is inside the folder of static copies, with symbolic links resolved.
 * @throws StaticPathError
 */
export async function assertInside(staticDir: string, path: string): Promise<void> {
  const root = await realPath(staticDir)
  if (root === undefined) return
  let existing = path
  let real = await realPath(existing)
  while (real === undefined) {
    existing = dirname(existing)
    real = await realPath(existing)
  }
  if (!isWithin(root, real)) throw leadsOut(existing, staticDir)
}

/**
 * Creates a folder if it does not exist. Its existing part must be inside the folder of static copies, with symbolic links resolved. For
 * worker threads.
 * @param root real path of the folder of static copies
 * @returns the existing folder that got new entries; undefined if the folder existed
 * @throws StaticPathError, and errors of the file system
 */
export function makeFolderInside(root: string, folder: string): string | undefined {
  let existing = folder
  let real = realPathSync(existing)
  while (real === undefined) {
    existing = dirname(existing)
    real = realPathSync(existing)
  }
  if (!isWithin(root, real)) throw leadsOut(existing, root)
  if (existing === folder) return undefined
  makeFolderSync(folder)
  return existing
}

/**
 * Checks that an existing folder is inside the folder of static copies, with symbolic links resolved. For worker threads.
 * @returns false if it does not exist
 * @throws StaticPathError
 */
export function isFolderInside(root: string, folder: string): boolean {
  const real = realPathSync(folder)
  if (real !== undefined && !isWithin(root, real)) throw leadsOut(folder, root)
  return real !== undefined
}

function isWithin(root: string, real: string): boolean {
  return real === root || real.startsWith(root + sep)
}

function leadsOut(path: string, staticDir: string): StaticPathError {
  return new StaticPathError(`${path} leads out of ${staticDir}. Remove the symbolic link.`)
}

/** The path with symbolic links resolved, in one call of the system library; undefined if it does not exist. */
function realPathSync(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}

/** The path with symbolic links resolved; undefined if it does not exist. */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}
