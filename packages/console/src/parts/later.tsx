import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { asServiceError } from '../client.ts'
import { connection } from '../connection.ts'
import { Loading } from './loaded.tsx'

import { ErrorNotice } from './notice.tsx'

/** A part of a view whose file is loaded when it is first shown. */
export function Later<Props extends object>({
  load,
  props,
}: {
  readonly load: () => Promise<ComponentType<Props>>
  readonly props: Props
}) {
  const loaded = useSignal<{ readonly Part: ComponentType<Props> } | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  useEffect(() => {
    load().then(
      (Part) => {
        loaded.value = { Part }
        error.value = undefined
      },
      (caught) => (error.value = caught),
    )
  }, [connection.value])
  if (error.value !== undefined) return <ErrorNotice error={asServiceError(error.value)} />
  if (loaded.value === undefined) return <Loading />
  return <loaded.value.Part {...props} />
}
