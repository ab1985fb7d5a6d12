import { signal } from '@preact/signals'
import type { EndpointName, Input, Output } from '../../client/src/index.ts'
import { api } from './client.ts'
import { token } from './session.ts'

type Batch = Input<'runBatch'>['body']

/** A write of a frame, a menu or an assignment, as a batch takes it. */
export type Write = Batch['requests'][number]

/** What writes would do, or have done. */
export type Written = Output<'runBatch'>

/**
 * Stores all writes or none.
 * @param how a dry run stores nothing; with its plan, they are stored only if they do what it has shown
 * @throws ServiceError `plan_changed` if they would do something else now
 */
export const runWrites = (
  site_id: number,
  requests: readonly Write[],
  how: Pick<Batch, 'dry_run' | 'plan'>,
): Promise<Written> => api().runBatch({ site_id, body: { ...how, requests: [...requests] } })

type Effects = 'bake' | 'rebaked' | 'republish' | 'static' | 'pending'

/** What the first write returns alone, without its effects. */
export function answerOf<Name extends EndpointName>({
  responses: [first],
}: Written): Omit<Output<Name>, Effects> {
  if (!first) throw new Error('The answer has no write.')
  return first.body as Output<Name>
}

/** The id under which the history has a write. */
export const requestIdOf = (written: object): string =>
  api().responseOf(written).headers.get('X-Request-Id') ?? ''

/** A write that is stored: what a view says about it, and how it is undone. */
export type LastWrite = {
  readonly site: number
  /** What was done, as a sentence. */
  readonly done: string
  /** What was not done, or not completely. */
  readonly notDone?: readonly string[]
  /** The answers, in their order. */
  readonly answers: readonly (Written | Output<'restoreSite'>)[]
  /** The path to go to when it is undone [the view stays]. */
  readonly backTo?: string | undefined
}

/** The last write, with the view that shows it and the token that made it. */
export const lastWrite = signal<
  (LastWrite & { readonly at: string; readonly by: string | undefined }) | undefined
>(undefined)

/** Shows a write in the view of the address. Call it after `goTo`. */
export function wrote(write: LastWrite): void {
  const [at = ''] = location.hash.slice(1).split('?')
  lastWrite.value = { ...write, at, by: token.value }
}
