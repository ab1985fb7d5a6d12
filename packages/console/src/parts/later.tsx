import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { asServiceError, connection } from '../client.ts'
import { ErrorNotice, Loading } from './notice.tsx'

/** Something of a file that is loaded when it is first wanted, and tried again when the service answers; undefined until it is there. */
export function useLater<Part>(
  load: () => Promise<Part>,
  isWanted: boolean,
  onFailure: (error: unknown) => void,
): Part | undefined {
  const loaded = useSignal<{ readonly part: Part } | undefined>(undefined)
  useEffect(() => {
    if (isWanted && !loaded.value) load().then((part) => (loaded.value = { part }), onFailure)
  }, [isWanted, connection.value])
  return loaded.value?.part
}

type LaterProps<Props> = {
  readonly load: () => Promise<ComponentType<Props>>
  readonly props: Props
}

/** A part of a view whose file is loaded when it is first shown. */
export function Later<Props extends object>({ load, props }: LaterProps<Props>) {
  const error = useSignal<unknown>(undefined)
  const Part = useLater(load, true, (caught) => (error.value = caught))
  if (Part) return <Part {...props} />
  if (error.value !== undefined) return <ErrorNotice error={asServiceError(error.value)} />
  return <Loading />
}
