import { decodedPath } from '../../text.ts'

/** An address for readers, on the site itself without the address of the site. */
export function shortAddress(url: string, home: string): string {
  const own = home.replace(/\/+$/, '')
  return decodedPath(url.startsWith(`${own}/`) ? url.slice(own.length) : url)
}
