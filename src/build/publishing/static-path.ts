import { join, sep } from 'node:path'
import { type Address, parsePageUrl } from '../../wordpress/permalinks/address.ts'

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

/** @throws StaticPathError unless a path is that of the folder of static copies, or inside; both with symbolic links resolved */
export function assertInside(root: string, real: string): void {
  if (real !== root && !real.startsWith(root + sep))
    throw new StaticPathError(`${real} is not inside ${root}. Remove the symbolic link.`)
}
