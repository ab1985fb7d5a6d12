import ipaddr from 'ipaddr.js'

/** The values of Express's `trust proxy`: a boolean, a number of proxies, or their addresses by name or range. */
export const isTrustProxy = (text: string): boolean =>
  /^(?:true|false|\d{1,3})$/.test(text) ||
  text.split(',').every((part) => isProxyAddress(part.trim()))

const isProxyAddress = (text: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) ||
  ipaddr.isValid(text) ||
  (ipaddr.isValidCIDR(text) && !/\/0+$/.test(text))

/** Such a text as the value of Express. */
export const trustProxy = (text: string): boolean | number | string => {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) ? Number(text) : text
}

/** The ranges of `ipaddr.js` that the names stand for. */
const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['loopback'],
  linklocal: ['linkLocal'],
  uniquelocal: ['private', 'uniqueLocal'],
}

/** Whether the peer of a connection is a trusted proxy, as Express decides it. @param address of the connection; undefined if it has ended */
export function isTrustedPeer(
  trusted: boolean | number | string,
  address: string | undefined,
): boolean {
  if (typeof trusted === 'boolean') return trusted
  // The number of proxies: the peer is the first.
  if (typeof trusted === 'number') return trusted > 0
  if (address === undefined || !ipaddr.isValid(address)) return false
  const peer = ipaddr.process(address)
  return trusted.split(',').some((part) => includesPeer(part.trim(), peer))
}

function includesPeer(part: string, peer: ReturnType<typeof ipaddr.process>): boolean {
  const named = NAMED_RANGES[part]
  if (named) return named.includes(peer.range())
  const [base, bits] = ipaddr.isValidCIDR(part)
    ? ipaddr.parseCIDR(part)
    : [ipaddr.process(part), undefined]
  if (base.kind() !== peer.kind()) return false
  return peer.match(base, bits ?? base.toByteArray().length * 8)
}
