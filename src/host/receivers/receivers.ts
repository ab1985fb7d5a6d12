import ipaddr from 'ipaddr.js'
import { parseUrl } from '../parse-url.ts'

/** Longest address of a receiver, in characters. */
export const MAX_RECEIVER_LENGTH = 2000

/**
 * The address of a receiver as it is stored: as `URL` reads it, without spaces around it, line breaks and tabs, and with slashes for backslashes (WHATWG URL, section
 * 4.4). So what is shown is what is asked.
 * @param text an address without a fault
 */
export const receiverAddress = (text: string): string => new URL(text).href

type Range = ReturnType<typeof ipaddr.parseCIDR>
type IpAddress = ReturnType<typeof ipaddr.process>

/**
 * The receivers to which messages may be sent: public addresses by https, and what the operator allows. An address of the network inside
 * (private, loopback, link-local, carrier NAT, IPv4 inside IPv6 ...) would let an administrator of one site send requests to it.
 */
export class Receivers {
  readonly #names = new Set<string>()
  readonly #ranges: Range[] = []

  /** @param allowed host names, addresses and ranges (`10.0.0.0/8`), which may also be reached by http */
  constructor(allowed: readonly string[]) {
    for (const entry of allowed) {
      if (ipaddr.isValidCIDR(entry)) this.#ranges.push(ipaddr.parseCIDR(entry))
      else if (ipaddr.isValid(entry)) this.#ranges.push(rangeOf(ipaddr.process(entry)))
      else this.#names.add(nameOf(entry))
    }
  }

  /** Whether the operator allows a host by its name. */
  allowsName(host: string): boolean {
    return this.#names.has(nameOf(host))
  }

  /** Whether a connection to this address is allowed, also for a host whose name is not. */
  allowsAddress(text: string): boolean {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    const inside = addressInside(address)
    // A range that the operator has listed must not open the private addresses that its addresses stand for (RFC 6052, section 3.1).
    if (inside && !isPublic(inside) && !this.#isListed(inside)) return false
    return isPublic(address) || isTranslated(address) || this.#isListed(address)
  }

  /**
   * What is wrong with the address of a receiver, for a client; undefined if nothing is. `URL` has already read the numbers in
   * `http://2130706433/` and `http://0x7f.1./` as the addresses that they are.
   */
  findFault(text: string): string | undefined {
    const url = parseUrl(text)
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      return 'must be an address that begins with https://'
    // With the characters that are sent for others: `ä` is six.
    if (url.href.length > MAX_RECEIVER_LENGTH)
      return `must have at most ${MAX_RECEIVER_LENGTH} characters`
    if (url.username !== '' || url.password !== '')
      return 'must not contain a user or a password: messages are signed'
    if (url.hash !== '') return 'must not contain a fragment'
    return this.#findHostFault(url)
  }

  #findHostFault({ hostname, protocol, port }: URL): string | undefined {
    const literal = literalOf(hostname)
    const isListed =
      literal === undefined
        ? this.allowsName(hostname)
        : (this.#isListed(ipaddr.process(literal)) && this.allowsAddress(literal)) ||
          this.allowsName(literal)
    if (isListed) return undefined
    const orAllow = 'or ask the operator to add the host to WEBHOOK_ALLOW_HOSTS'
    if (literal !== undefined && !this.allowsAddress(literal))
      return `must not have an address that is not public; use a public one, ${orAllow}`
    if (/^localhost\.?$|\.localhost\.?$/.test(hostname))
      return `must not be on this machine; use a public host, ${orAllow}`
    if (protocol === 'http:') return `must begin with https://; use it, ${orAllow}`
    // Of the ports below 1024, no other has a receiver of webhooks.
    if (port !== '' && Number(port) < 1024)
      return `must have port 443, or one above 1023, ${orAllow}`
    return undefined
  }

  #isListed(address: IpAddress): boolean {
    return this.#ranges.some(
      ([base, bits]) => base.kind() === address.kind() && address.match(base, bits),
    )
  }
}

/** The address in a host of a URL; undefined for a name. */
function literalOf(hostname: string): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(host) ? host : undefined
}

/** The name without the full stop of an absolute one. */
const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '')

const rangeOf = (address: IpAddress): Range =>
  [address, address.kind() === 'ipv4' ? 32 : 128] as Range

const isPublic = (address: IpAddress): boolean =>
  address.range() === 'unicast' && !isCompatible(address)

/** The well-known prefix of NAT64 (RFC 6052, section 2.1): the network translates to the IPv4 address inside. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

const isTranslated = (address: IpAddress): boolean =>
  address.kind() === 'ipv6' && address.match(...NAT64)

/** Where the IPv4 address is in an IPv6 address of a range that embeds one, and what its bytes are combined with. */
const EMBEDDING: Readonly<Record<string, { readonly at: number; readonly mask: number }>> = {
  rfc6052: { at: 12, mask: 0 },
  '6to4': { at: 2, mask: 0 },
  // RFC 4380, section 4: the client's address is inverted.
  teredo: { at: 12, mask: 0xff },
}

function addressInside(address: IpAddress): IpAddress | undefined {
  const embedding = EMBEDDING[address.range()]
  if (!embedding || address.kind() !== 'ipv6') return undefined
  const { at, mask } = embedding
  const bytes = address.toByteArray().slice(at, at + 4)
  return ipaddr.fromByteArray(bytes.map((byte) => byte ^ mask))
}

/** `::7f00:1`, an IPv4 address in the deprecated form (RFC 4291, 2.5.5.1), which the package takes for a public one. */
const isCompatible = (address: IpAddress): boolean =>
  address.kind() === 'ipv6' &&
  address
    .toByteArray()
    .slice(0, 12)
    .every((byte) => byte === 0)
