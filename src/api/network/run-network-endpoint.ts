import { type Database, writeAs } from '../../db/database.ts'
import type { ChangeWatch } from '../../events/change-watch.ts'
import type { KeyedRequest } from '../../idempotency/keyed-request.ts'
import { writeOnce } from '../../idempotency/write-once.ts'
import type { WebhookSender } from '../../webhooks/webhook-sender.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { tagResponse } from '../entity-tag.ts'
import { authorOf, type EndpointAnswer, type PreparedWrite } from '../run/run-endpoint.ts'
import { runSent } from '../run/run-sent.ts'
import type { NetworkEndpoint } from './network-endpoint.ts'

/** The services of the endpoints of the network. */
export type NetworkServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly now: () => Date
  /** The feed of changes. */
  readonly changes: ChangeWatch
  /** Sends messages to webhooks. */
  readonly webhookSender: WebhookSender
}

/** One call of an endpoint of the network by an authorized caller. The input is not validated yet. */
export type NetworkCall = Parameters<NetworkEndpoint['handle']>[0] & { readonly requestId: string }

/** The call of an endpoint: its writes have the caller as their author. */
export function networkCall(
  { db, globals, now, changes, webhookSender }: NetworkServices,
  request: Omit<NetworkCall, keyof NetworkServices>,
): NetworkCall {
  const author = authorOf(request.caller, request.requestId)
  return { db: writeAs(db, author), globals, now, changes, webhookSender, ...request }
}

/**
 * Runs an endpoint of the network: a write with a key once.
 * @throws AppError of the endpoint
 */
export async function runNetworkEndpoint(
  endpoint: NetworkEndpoint,
  call: NetworkCall,
  keyed?: KeyedRequest,
): Promise<EndpointAnswer> {
  if (!keyed) {
    const body = await runSent(endpoint, call)
    return { answer: await tagResponse(body, undefined, { isRead: false }), replayOf: undefined }
  }
  const write = prepareNetworkWrite(endpoint, call)
  return writeOnce({ ...call, effectsBudgetMs: 0 }, keyed, async () => async (db) => {
    const { handled } = await write(db)
    const answer = await tagResponse(handled, undefined, { isRead: false })
    return { answer: { ...answer, requestId: call.requestId }, complete: undefined }
  })
}

/** A write of the network that runs within an open transaction. */
export function prepareNetworkWrite(endpoint: NetworkEndpoint, call: NetworkCall): PreparedWrite {
  return async (db) => ({ handled: await runSent(endpoint, { ...call, db }), version: undefined })
}
