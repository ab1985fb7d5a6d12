import { join } from 'node:path'

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
/** What most file systems take for one name. */
const MAX_NAME_BYTES = 255

/**
 * The folder of a page's static copy below the folder of all: `<host>/<path>`, percent-encoding undone, as web servers look
 * files up. Undefined for an address that can't be a folder: with a query, or with names that would leave the folder.
 */
export function staticFolder(staticDir: string, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { host, pathname, search } = new URL(address)
  if (search !== '' || !HOST.test(host)) return undefined
  const names = namesOf(pathname)
  return names && join(staticDir, host, ...names)
}

/** The names of a path, decoded once; undefined where one of them is not simply a name. */
function namesOf(pathname: string): string[] | undefined {
  try {
    const names = pathname
      .split('/')
      .filter((name) => name !== '')
      .map(decodeURIComponent)
    return names.every(isName) ? names : undefined
  } catch {
    return undefined
  }
}

function isName(name: string): boolean {
  if (name === '.' || name === '..' || /[/\\\0]/.test(name)) return false
  // A copy lies in the folder itself, so no page may claim that name; a dot in front would hide it.
  return name !== 'index.html' && !name.startsWith('.') && Buffer.byteLength(name) <= MAX_NAME_BYTES
}
