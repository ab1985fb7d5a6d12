import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type AnswerOf, ApiError, type Called, call } from './api.ts'

/** What is known of an answer of the API. */
export type Reading<Answer> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly answer: Answer }
  | { readonly state: 'failed'; readonly error: ApiError }

/**
 * Reads from the API whenever the address changes. The former answer stays until the next one arrives, so that a list keeps its focus; an answer
 * that comes too late is dropped.
 * @param address undefined reads nothing yet
 */
export function useRead<Endpoint extends Called>(
  address: string | undefined,
): { readonly reading: Reading<AnswerOf<Endpoint>>; readonly reload: () => void } {
  const reading = useSignal<Reading<AnswerOf<Endpoint>>>({ state: 'loading' })
  const attempt = useSignal(0)
  useEffect(() => {
    if (address === undefined) return
    const abort = new AbortController()
    if (reading.value.state === 'failed') reading.value = { state: 'loading' }
    call<Endpoint>('GET', address, { signal: abort.signal }).then(
      (answer) => {
        if (!abort.signal.aborted) reading.value = { state: 'ready', answer }
      },
      (error: unknown) => {
        if (!abort.signal.aborted) reading.value = { state: 'failed', error: asApiError(error) }
      },
    )
    return () => abort.abort()
  }, [address, attempt.value])
  return {
    reading: reading.value,
    reload: () => {
      attempt.value += 1
    },
  }
}

/** Any error, as one to show. */
export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError
    ? error
    : new ApiError(0, 'console', `The console failed: ${error}. Reload the page.`)
}
