import { COPY_FILE, copyFolder, copyFolderForUrl } from '#wp-frames/build/publishing/static-path'
import type { Address } from '#wp-frames/wordpress/permalinks/address'

/** Maximum length of a key, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 1024

/**
 * The key of a page's copy: `<prefix><host>/<path>/index.html`, percent-decoded, as stores and web servers map URLs that end with a slash.
 * Undefined for a URL that a folder could not have either, and for one that is too long.
 */
export function copyKeyForUrl(prefix: string, url: string): string | undefined {
  return keyIn(copyFolderForUrl('', url), prefix)
}

/** The key of the copy at an address. The query (`?utm_source=`) is ignored. */
export function copyKey(prefix: string, address: Address): string | undefined {
  return keyIn(copyFolder('', address), prefix)
}

function keyIn(folder: string | undefined, prefix: string): string | undefined {
  const key = folder && `${prefix}${folder}/${COPY_FILE}`
  return key !== undefined && Buffer.byteLength(key) <= MAX_KEY_BYTES ? key : undefined
}
