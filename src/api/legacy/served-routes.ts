import { type LegacyPath, OWN_FAMILIES } from '../../legacy/families.ts'
import { endpoints } from '../endpoints.ts'
import { findEndpoint } from '../find-endpoint.ts'
import { callerEndpoints } from '../network/caller-endpoints.ts'

/** Whether this service has an endpoint for a request. All methods of its own paths are its own. */
export function isServed(method: string, { siteId, below, family }: LegacyPath): boolean {
  if (siteId === undefined && OWN_FAMILIES.includes(family)) return true
  const wanted = method === 'HEAD' ? 'GET' : method
  const candidates = siteId === undefined ? [...endpoints, ...callerEndpoints] : endpoints
  return findEndpoint(candidates, wanted, below) !== undefined
}
