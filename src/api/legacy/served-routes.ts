import { type LegacyPath, OWN_FAMILIES } from '../../legacy/families.ts'
import { endpoints } from '../endpoints.ts'
import { findEndpoint } from '../find-endpoint.ts'
import { callerEndpoints } from '../network/caller-endpoints.ts'
import { NETWORK_PREFIX } from '../network/network-endpoint.ts'
import { networkEndpoints } from '../network/network-endpoints.ts'

/** Whether a request is this service's own. All methods of its own paths are. */
export function isServed(method: string, path: LegacyPath): boolean {
  const { siteId, family } = path
  return (siteId === undefined && OWN_FAMILIES.includes(family)) || hasEndpoint(method, path)
}

/** Whether there is an endpoint for a request. */
export function hasEndpoint(method: string, { siteId, below, family }: LegacyPath): boolean {
  const wanted = method === 'HEAD' ? 'GET' : method
  if (siteId !== undefined) return findEndpoint(endpoints, wanted, below) !== undefined
  // Its other methods say that they are not allowed.
  if (family === 'mcp') return below.toLowerCase() === '/mcp' && method !== 'OPTIONS'
  const network = family === 'network' ? below.slice(NETWORK_PREFIX.length) : undefined
  return network === undefined
    ? findEndpoint([...endpoints, ...callerEndpoints], wanted, below) !== undefined
    : findEndpoint(networkEndpoints, wanted, network) !== undefined
}
