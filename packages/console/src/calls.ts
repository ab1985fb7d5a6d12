import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
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
      /** The input that it answers. */
      readonly asked?: string
    }
  | { readonly state: 'failed'; readonly error: ServiceError }

/** A call that reads: `answer` is undefined until there is one. */
export type Read<Answer> = {
  readonly reading: Reading<Answer>
  readonly answer: Answer | undefined
  readonly reload: () => void
}

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
): Read<Output<Name>> {
  const reading = useSignal<Reading<Output<Name>>>({ state: 'loading' })
  /** Another value reads again. */
  const attempt = useSignal({ isUpdate: false })
  const asked = JSON.stringify(input)
  useLive(liveOf(reading.value), () => {
    if (reading.value.state === 'ready') attempt.value = { isUpdate: true }
  })
  useEffect(() => {
    if (input === undefined) return
    const abort = new AbortController()
    if (reading.value.state === 'failed') reading.value = { state: 'loading' }
    const isShown = reading.value.state === 'ready' && reading.value.asked === asked
    const isUpdate = isShown && attempt.value.isUpdate
    const read = api()[name] as (input: object, options: object) => Promise<Output<Name>>
    const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== '')
    read(Object.fromEntries(given), { signal: abort.signal }).then(
      (answer) => {
        if (!abort.signal.aborted) reading.value = { state: 'ready', answer, isUpdate, asked }
      },
      (error: unknown) => {
        if (abort.signal.aborted || isUpdate) return
        const failure = asServiceError(error)
        // The shell says that there is no connection, and everything is read again when there is one. An answer to another question goes.
        if (isShown && failure.code === 'connection_failed') return
        reading.value = { state: 'failed', error: failure }
      },
    )
    return () => abort.abort()
  }, [asked, attempt.value, readingRound()])
  return {
    reading: reading.value,
    answer: reading.value.state === 'ready' ? reading.value.answer : undefined,
    reload: () => {
      attempt.value = { isUpdate: false }
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

/** What somebody has asked for: whether it runs, and why it failed. */
export function useTask() {
  const error = useSignal<ServiceError | undefined>(undefined)
  const isRunning = useSignal(false)
  const run = async (task: () => Promise<unknown> | undefined): Promise<void> => {
    error.value = undefined
    isRunning.value = true
    try {
      await task()
    } catch (caught) {
      error.value = asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  return { error: error.value, isRunning: isRunning.value, run }
}
