import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { EndpointName, Input, Output, ServiceError } from '../../client/src/index.ts'
import { api, asServiceError } from './client.ts'
import { useSite } from './current.ts'
import { type Live, useLive } from './live.ts'

/** What is known of an answer of the API. */
export type Reading<Answer> =
  | { readonly state: 'loading' }
  | {
      readonly state: 'ready'
      readonly answer: Answer
      /** Nobody has asked for it: something has changed elsewhere. It is not spoken. */
      readonly isUpdate?: boolean
    }
  | { readonly state: 'failed'; readonly error: ServiceError }

/** Whether an answer has come because something has changed elsewhere. */
export const isUpdate = (reading: Reading<unknown>): boolean =>
  reading.state === 'ready' && reading.isUpdate === true

/** How often a write was undone, and how often the service answered again. */
const rounds = { restored: signal(0), returned: signal(0) }

/** Repeats what the view has read, because a write was undone, or the service answers again. */
export function readAgain(because: keyof typeof rounds): void {
  rounds[because].value += 1
}

/** Changes when what was read is read again; for the dependencies of an effect. */
export const readingRound = (): string => `${roundOf('restored')} ${roundOf('returned')}`

/** Changes when what was read is read again for this reason. */
export const roundOf = (reason: keyof typeof rounds): number => rounds[reason].value

/**
 * Calls an endpoint that reads whenever its input changes. The former answer stays until the next one arrives, so that a list keeps its focus;
 * an answer that comes too late is dropped.
 * @param input parameters that are undefined or '' are left out; undefined calls nothing yet
 * @param liveOf what of the feed of changes the view follows: after a change it is read again, and a failure of that changes nothing [nothing]
 */
export function useRead<Name extends EndpointName>(
  name: Name,
  input: Input<Name> | undefined,
  liveOf: (reading: Reading<Output<Name>>) => Live | undefined = () => undefined,
): { readonly reading: Reading<Output<Name>>; readonly reload: () => void } {
  const reading = useSignal<Reading<Output<Name>>>({ state: 'loading' })
  const attempt = useSignal(0)
  const isNextUpdate = useRef(false)
  useLive(liveOf(reading.value), () => {
    if (reading.value.state !== 'ready') return
    isNextUpdate.current = true
    attempt.value += 1
  })
  useEffect(() => {
    const isQuiet = isNextUpdate.current
    isNextUpdate.current = false
    if (input === undefined) return
    const abort = new AbortController()
    if (reading.value.state === 'failed') reading.value = { state: 'loading' }
    const read = api()[name] as (input: object, options: object) => Promise<Output<Name>>
    read(withValues(input), { signal: abort.signal }).then(
      (answer) => {
        if (!abort.signal.aborted) reading.value = { state: 'ready', answer, isUpdate: isQuiet }
      },
      (error: unknown) => {
        if (abort.signal.aborted || isQuiet) return
        const failure = asServiceError(error)
        // The shell says that there is no connection, and everything is read again when there is one.
        const isLost = failure.code === 'connection_failed'
        if (isLost && reading.value.state === 'ready') return
        reading.value = { state: 'failed', error: failure }
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

/** Calls an endpoint of the site of the view. */
export function useSiteRead<Name extends SiteEndpoint>(
  name: Name,
  input: Omit<Input<Name>, 'site_id'> | undefined,
  liveOf?: (reading: Reading<Output<Name>>) => Live | undefined,
) {
  const { site_id } = useSite()
  return useRead(name, input && ({ site_id, ...input } as unknown as Input<Name>), liveOf)
}

type SiteEndpoint = {
  [Name in EndpointName]: Input<Name> extends { site_id: number } ? Name : never
}[EndpointName]

const withValues = (input: object): object =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== ''),
  )
