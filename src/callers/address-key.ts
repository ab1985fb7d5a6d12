import ipaddr from 'ipaddr.js'

/**
 * The key under which an address is counted. Of IPv6 the /64: a whole one belongs to a single customer, who
 * could otherwise take a new address for every attempt.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().slice(0, 8)
  return `${Buffer.from(network).toString('hex')}/64`
}
