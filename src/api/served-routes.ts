import { type LegacyPath, OWN_FAMILIES } from '../host/families.ts'
import { type Endpoint, NETWORK_PREFIX } from './endpoint.ts'
import { endpoints, endpointsOn } from './endpoints.ts'
import { findEndpoint } from './find-endpoint.ts'

const OF_SITES = endpointsOn('site')
const OF_NO_SITE = endpoints
  .filter(({ on }) => on !== 'site')
  .map((endpoint) =>
    endpoint.on === 'network' ? { ...endpoint, path: NETWORK_PREFIX + endpoint.path } : endpoint,
  )

/**
 * The endpoint of a request whose path names its site, if it has one.
 * @param path below the base path
 * @returns also the values of the path, and the site as it is named; undefined if there is no such endpoint
 */
export function endpointAt(method: string, path: string) {
  const [, siteId, ofSite = ''] = /^\/site\/([^/]+)(\/.*)$/.exec(path) ?? []
  const found =
    siteId === undefined
      ? findEndpoint(OF_NO_SITE, method, path)
      : findEndpoint(OF_SITES, method, ofSite)
  return found && { ...found, siteId }
}

/** Whether a request is this service's own. All methods of its own paths are. */
export function isServed(method: string, path: LegacyPath): boolean {
  const { siteId, family } = path
  return (siteId === undefined && OWN_FAMILIES.includes(family)) || hasEndpoint(method, path)
}

/** Whether there is an endpoint for a request. */
export function hasEndpoint(method: string, { siteId, below, family }: LegacyPath): boolean {
  const wanted = method === 'HEAD' ? 'GET' : method
  const isAmong = (some: readonly Endpoint[]): boolean =>
    findEndpoint(some, wanted, below) !== undefined
  if (siteId !== undefined) return isAmong(OF_SITES)
  // Its other methods say that they are not allowed.
  if (family === 'mcp') return below.toLowerCase() === '/mcp' && method !== 'OPTIONS'
  return isAmong(OF_NO_SITE) || isAmong(OF_SITES)
}
