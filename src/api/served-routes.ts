import { type LegacyPath, OWN_FAMILIES } from '../host/families.ts'
import { type EndpointKind, NETWORK_PREFIX } from './endpoint.ts'
import { endpointsOn } from './endpoints.ts'
import { findEndpoint } from './find-endpoint.ts'

/** Whether a request is this service's own. All methods of its own paths are. */
export function isServed(method: string, path: LegacyPath): boolean {
  const { siteId, family } = path
  return (siteId === undefined && OWN_FAMILIES.includes(family)) || hasEndpoint(method, path)
}

/** Whether there is an endpoint for a request. */
export function hasEndpoint(method: string, { siteId, below, family }: LegacyPath): boolean {
  const wanted = method === 'HEAD' ? 'GET' : method
  const isFound = (kind: EndpointKind, path: string): boolean =>
    findEndpoint(endpointsOn(kind), wanted, path) !== undefined
  if (siteId !== undefined) return isFound('site', below)
  // Its other methods say that they are not allowed.
  if (family === 'mcp') return below.toLowerCase() === '/mcp' && method !== 'OPTIONS'
  if (family === 'network') return isFound('network', below.slice(NETWORK_PREFIX.length))
  return isFound('site', below) || isFound('caller', below)
}
