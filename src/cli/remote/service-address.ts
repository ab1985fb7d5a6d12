import { InvalidArgumentError } from 'commander'
import { parseUrl } from '../../parse-url.ts'

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
