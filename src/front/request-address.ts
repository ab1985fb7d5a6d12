import type { IncomingMessage } from 'node:http'
import { type Address, parseAddress } from '../wordpress/permalinks/address.ts'

/** The address that a request asks for, spelled in bytes or percent-encoded; undefined where it is none. */
export function requestAddress({ headers, url = '' }: IncomingMessage): Address | undefined {
  // Node gives each byte as a character.
  const target = /[\x80-\xff]/.test(url) ? Buffer.from(url, 'latin1').toString() : url
  return parseAddress(headers.host ?? '', target)
}
