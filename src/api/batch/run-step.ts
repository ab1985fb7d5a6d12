import { joinTransaction } from '../../db/database.ts'
import type { Tx, WriteOptions } from '../../db/transaction.ts'
import { skippedEffects } from '../../executor/executor.ts'
import { type Endpoint, type SiteContext, WithEffects } from '../endpoint.ts'
import type { BatchStep } from './batch-request.ts'

/** The fields with which a response reports its effects. A step of a transaction has none yet. */
const REPORTED_EFFECTS = new Set(['bake', 'rebaked', 'republish', 'static', 'pending'])

/** A call of an endpoint: its input is validated by the endpoint. */
export type Step = Pick<BatchStep, 'params' | 'precondition'> & {
  readonly endpoint: Pick<Endpoint, 'handle'>
  readonly request: { readonly query: object; readonly body?: unknown }
}

type StepResult = {
  /** What the endpoint returns for a single request, without its effects. */
  readonly body: Readonly<Record<string, unknown>>
  /** The version that the step has stored. */
  readonly version: string | undefined
  /** The options of its writes. */
  readonly writes: readonly WriteOptions[]
}

/** Runs the handler of an endpoint within a transaction. The caller collects its changes, see `collectChanges`. */
export async function runStep(
  call: SiteContext,
  tx: Tx,
  { request, endpoint, params, precondition }: Step,
): Promise<StepResult> {
  const { db, writes } = joinTransaction(call.db, tx)
  const { query, body } = request
  let version: string | undefined
  const setEtag = (newVersion: string | undefined): void => {
    version = newVersion
  }
  const handled = await endpoint.handle({
    ...call,
    ...{ db, params, query, body, precondition, setEtag },
  })
  const response: object =
    handled instanceof WithEffects ? handled.present(skippedEffects(handled.change)) : handled
  const fields = Object.entries(response).filter(([field]) => !REPORTED_EFFECTS.has(field))
  return { body: Object.fromEntries(fields), version, writes }
}
