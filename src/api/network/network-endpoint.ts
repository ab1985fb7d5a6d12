import type { Caller } from '../../auth/authenticate.ts'
import type { Database } from '../../db/database.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { type EndpointWith, endpointsWith } from '../endpoint.ts'

/** What an endpoint of the network gets besides its input. The caller is a super administrator. */
type NetworkContext = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly caller: Caller
  readonly now: () => Date
}

/** An endpoint below `/network`, for super administrators whose token has no limits on sites. */
export type NetworkEndpoint = EndpointWith<NetworkContext>

/** Defines an endpoint of the network. */
export const defineNetworkEndpoint = endpointsWith<NetworkContext>()
