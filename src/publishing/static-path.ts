import { realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { type Address, parseUrl } from '../wordpress/permalinks/address.ts'
import { isFileNotFound } from './file-not-found.ts'

/** The file name of a static copy in its folder. */
export const COPY_FILE = 'index.html'

/** Maximum length of a file name on most file systems. */
const MAX_NAME_BYTES = 255

/**
 * The folder of a page's static copy below `staticDir`: `<host>/<path>`, percent-decoded, as web servers map URLs to files. Undefined for a
 * URL that cannot be mapped to a folder: with a query, or with reserved or overlong segments.
 */
export function copyFolderForUrl(staticDir: string, url: string): string | undefined {
  const address = url.includes('?') ? undefined : parseUrl(url)
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
  if (real === root || real.startsWith(root + sep)) return
  throw new StaticPathError(`${existing} leads out of ${staticDir}. Remove the symbolic link.`)
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
