import { realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { type Address, parseUrl } from '../wordpress/permalinks/address.ts'
import { isFileNotFound } from './file-not-found.ts'

/** The file of a static copy in its folder. */
export const COPY_FILE = 'index.html'

/** What most file systems take for one name. */
const MAX_NAME_BYTES = 255

/**
 * The folder of a page's static copy below the folder of all: `<host>/<path>`, percent-encoding undone, as web servers look
 * files up. Undefined for an address that can't be a folder: with a query, or with names that are not simply names.
 */
export function copyFolderForUrl(staticDir: string, url: string): string | undefined {
  const address = url.includes('?') ? undefined : parseUrl(url)
  return address && copyFolder(staticDir, address)
}

/** The folder in which the copy at an address would lie, whatever is asked beside it (`?utm_source=`). */
export function copyFolder(
  staticDir: string,
  { host, segments: names }: Address,
): string | undefined {
  return names.every(isName) ? join(staticDir, host, ...names) : undefined
}

/** Copies lie in the folders themselves, so no page may claim their names; what is ours alone begins with a dot. */
function isName(name: string): boolean {
  return (
    name !== '' &&
    !name.startsWith('.') &&
    !name.startsWith(COPY_FILE) &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES
  )
}

/** A symbolic link among the static copies leads out of their folder. */
export class StaticPathError extends Error {
  override readonly name = 'StaticPathError'
}

/**
 * Makes sure that a path below the static copies really lies there, as far as it exists.
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

/** The path with all links followed; undefined where there is nothing. */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}
