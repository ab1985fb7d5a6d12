import { getMeEndpoint } from '../sites/get-me.endpoint.ts'
import { listSitesEndpoint } from '../sites/list-sites.endpoint.ts'
import type { NetworkEndpoint } from './network-endpoint.ts'

/** Endpoints without a site that are for every caller. */
export const callerEndpoints: readonly NetworkEndpoint[] = [getMeEndpoint, listSitesEndpoint]
