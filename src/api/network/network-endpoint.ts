import type { Caller } from '../../auth/authenticate.ts'
import type { Database } from '../../db/database.ts'
import type { ChangeWatch } from '../../events/change-watch.ts'
import type { WebhookSender } from '../../webhooks/webhook-sender.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { type EndpointWith, endpointsWith } from '../endpoint.ts'

/** What an endpoint without a site gets besides its input. */
type NetworkContext = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly caller: Caller
  readonly now: () => Date
  /** The feed of changes. */
  readonly changes: ChangeWatch
  /** Sends messages to webhooks. */
  readonly webhookSender: WebhookSender
  /** Is aborted when nobody waits for the answer of a read any more [never]. */
  readonly signal?: AbortSignal | undefined
}

/** An endpoint without a site: below `/network` for super administrators whose token has no limits on sites, otherwise for every caller. */
export type NetworkEndpoint = EndpointWith<NetworkContext>

/** The path of the endpoints below `/network`. */
export const NETWORK_PREFIX = '/network'

/** Defines an endpoint without a site. */
export const defineNetworkEndpoint = endpointsWith<NetworkContext>()
