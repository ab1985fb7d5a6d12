import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EndpointName, Input, Output, ServiceError } from '../packages/client/src/index.ts'
import { api, asServiceError } from './client.ts'

/** What is known of an answer of the API. */
export type Reading<Answer> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly answer: Answer }
  | { readonly state: 'failed'; readonly error: ServiceError }

const round = signal(0)

/** Repeats what the view has read, because a write was taken back. */
export function readAgain(): void {
  round.value += 1
}

/** Changes when what was read is read again; for the dependencies of an effect. */
export const readingRound = (): number => round.value

/**
 * Calls an endpoint that reads whenever its input changes. The former answer stays until the next one arrives, so that a list keeps its focus;
 * an answer that comes too late is dropped.
 * @param input parameters that are undefined or '' are left out; undefined calls nothing yet
 */
export function useRead<Name extends EndpointName>(
  name: Name,
  input: Input<Name> | undefined,
): { readonly reading: Reading<Output<Name>>; readonly reload: () => void } {
  const reading = useSignal<Reading<Output<Name>>>({ state: 'loading' })
  const attempt = useSignal(0)
  useEffect(() => {
    if (input === undefined) return
    const abort = new AbortController()
    if (reading.value.state === 'failed') reading.value = { state: 'loading' }
    const read = api()[name] as (input: object, options: object) => Promise<Output<Name>>
    read(withValues(input), { signal: abort.signal }).then(
      (answer) => {
        if (!abort.signal.aborted) reading.value = { state: 'ready', answer }
      },
      (error: unknown) => {
        if (!abort.signal.aborted) reading.value = { state: 'failed', error: asServiceError(error) }
      },
    )
    return () => abort.abort()
  }, [JSON.stringify(input), attempt.value, readingRound()])
  return {
    reading: reading.value,
    reload: () => {
      attempt.value += 1
    },
  }
}

const withValues = (input: object): object =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== ''),
  )
