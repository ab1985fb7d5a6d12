import type { EndpointName, Input, Output } from '../../client/src/index.ts'
import { api } from './client.ts'

/** A write of a frame, a menu or an assignment, as a batch takes it. */
export type Write = Input<'runBatch'>['body']['requests'][number]

/** What writes would do, or have done. */
export type Written = Output<'runBatch'>

/** Runs writes without storing anything. */
export const tryWrites = (site: number, requests: readonly Write[]): Promise<Written> =>
  api().runBatch({ site_id: site, body: { requests: [...requests], dry_run: true } })

/**
 * Stores all writes or none, and only if they do what the dry run has shown.
 * @throws ServiceError `plan_changed` if they would do something else now
 */
export const storeWrites = (
  site: number,
  requests: readonly Write[],
  { plan }: Written,
): Promise<Written> =>
  api().runBatch({
    site_id: site,
    body: { requests: [...requests], ...(plan === undefined ? {} : { plan }) },
  })

type Effects = 'bake' | 'rebaked' | 'republish' | 'static' | 'pending'

/** What a write returns alone, without its effects. @param at which of the writes */
export function answerOf<Name extends EndpointName>(
  { responses }: Written,
  at = 0,
): Omit<Output<Name>, Effects> {
  const response = responses[at]
  if (!response) throw new Error(`The answer has no write ${at}.`)
  return response.body as Output<Name>
}

/** The id under which the history has a write. */
export const requestIdOf = (written: object): string =>
  api().responseOf(written).headers.get('X-Request-Id') ?? ''
