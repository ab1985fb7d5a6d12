import { joinTransaction } from '../../db/database.ts'
import type { Tx, WriteOptions } from '../../db/transaction.ts'
import type { BatchedRequest } from '../batch/batch-request.ts'
import type { Endpoint, SiteContext } from '../endpoint.ts'
import { responseBeforeEffects } from './response-before-effects.ts'
import { runSent } from './run-sent.ts'

/** A request to an endpoint, which validates its input. */
export type EndpointRequest = Pick<BatchedRequest, 'params' | 'precondition'> & {
  readonly endpoint: Endpoint
  readonly request: { readonly query: object; readonly body?: unknown }
}

type EndpointResult = {
  /** What the endpoint returns for a single request, without its effects. */
  readonly body: Readonly<Record<string, unknown>>
  /** The version that it has stored. */
  readonly version: string | undefined
  /** The options of its writes. */
  readonly writes: readonly WriteOptions[]
}

/** Runs the handler of an endpoint within a transaction. The caller collects its changes, see `collectChanges`. */
export async function runRequest(
  call: SiteContext,
  tx: Tx,
  { request, endpoint, params, precondition }: EndpointRequest,
): Promise<EndpointResult> {
  const { db, writes } = joinTransaction(call.db, tx)
  const { query, body } = request
  let version: string | undefined
  const setEtag = (newVersion: string | undefined): void => {
    version = newVersion
  }
  const handled = await runSent(endpoint, {
    ...call,
    // The caller builds what follows from all requests together.
    executor: { ...call.executor, within: undefined },
    db,
    params,
    query,
    body,
    precondition,
    setEtag,
  })
  return { body: responseBeforeEffects(handled), version, writes }
}
