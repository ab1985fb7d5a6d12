import { isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { parseUrl } from '../../host/parse-url.ts'
import { CommandError } from '../cli-context.ts'

/**
 * The address of an endpoint in an option, without a slash at the end.
 * @throws InvalidArgumentError
 */
export function parseServiceAddress(text: string): string {
  const url = parseUrl(text)
  const isAddress = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isAddress || url.username + url.password !== '')
    throw new InvalidArgumentError(
      'Use the address of the API, without a query, user and password: https://api.example.',
    )
  return url.href.replace(/\/+$/, '')
}

/** @throws CommandError for an address without TLS that is not on this machine: others on the way could read the token */
export function assertSecure(address: string, insecure: boolean): void {
  const url = parseUrl(address)
  if (insecure || url?.protocol === 'https:' || isLoopback(url?.hostname ?? '')) return
  throw new CommandError(
    `${address} is not encrypted, so that others could read the token on its way. Use https://, or --insecure in a network that you trust.`,
  )
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
