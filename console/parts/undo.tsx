import { useSignal } from '@preact/signals'
import type { Output, ServiceError } from '../../packages/client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { announce, ErrorNotice, Notice } from './notice.tsx'

/** A write that can be taken back. */
export type Undoable = {
  /** What was done, as a sentence. */
  readonly done: string
  /** The ids of its requests, in their order. */
  readonly requestIds: readonly string[]
}

/** Says what was written, and takes it back. */
export function UndoNotice({
  site,
  undoable: { done, requestIds },
  onClose,
  onDone,
}: {
  readonly site: number
  readonly undoable: Undoable
  /** The notice is no longer needed. */
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const error = useSignal<ServiceError | undefined>(undefined)
  const isRunning = useSignal(false)
  const isClosed = useSignal(false)
  const left = useSignal<Output<'restoreSite'>['not_restored']>([])
  if (isClosed.value) return null
  const undo = async () => {
    error.value = undefined
    isRunning.value = true
    try {
      const failed: Output<'restoreSite'>['not_restored'] = []
      for (const request_id of [...requestIds].reverse()) {
        const { not_restored } = await api().restoreSite({ site_id: site, body: { request_id } })
        failed.push(...not_restored)
      }
      left.value = failed
      announce('Taken back.')
      onClose()
      isClosed.value = failed.length === 0
      onDone()
    } catch (caught) {
      error.value = asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  return (
    <Notice tone="good">
      <p>{done}</p>
      {error.value && <ErrorNotice error={error.value} />}
      {left.value.length > 0 && (
        <>
          <p>Taken back, but not completely:</p>
          <ul>
            {left.value.map(({ kind, ref, message }) => (
              <li key={`${kind} ${ref}`} dir="auto">
                {message}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="notice-foot">
        <button type="button" disabled={isRunning.value || left.value.length > 0} onClick={undo}>
          {isRunning.value ? 'Working...' : 'Take back'}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isClosed.value = true
            onClose()
          }}
        >
          Close
        </button>
      </p>
    </Notice>
  )
}
