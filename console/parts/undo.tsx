import { useSignal } from '@preact/signals'
import type { Output } from '../../packages/client/src/index.ts'
import { api } from '../client.ts'
import { maySend } from '../current.ts'
import { count } from '../text.ts'
import { Notice } from './notice.tsx'
import { ThingDiffs } from './thing-diffs.tsx'
import { WriteDialog } from './write-dialog.tsx'

/** A write that can be taken back. */
export type Undoable = {
  /** What was done, as a sentence. */
  readonly done: string
  /** The ids of its requests, in their order. */
  readonly requestIds: readonly string[]
}

/** Says what was written, and takes it back, which needs a token with the scope `all`. */
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
  const isAsking = useSignal(false)
  const isClosed = useSignal(false)
  if (isClosed.value) return null
  const close = () => {
    isClosed.value = true
    onClose()
  }
  return (
    <Notice tone="good">
      <p>{done}</p>
      <p class="notice-foot">
        {maySend('all') && (
          <button
            type="button"
            onClick={() => {
              isAsking.value = true
            }}
          >
            Take back
          </button>
        )}
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </p>
      {isAsking.value && (
        <UndoDialog
          {...{ site, requestIds }}
          onClose={() => {
            isAsking.value = false
          }}
          onDone={() => {
            close()
            onDone()
          }}
        />
      )}
    </Notice>
  )
}

type Restored = Pick<Output<'restoreSite'>, 'restored' | 'not_restored'>

/** Things that are shown; a write of many pages has hundreds. */
const MAX_SHOWN = 50

function UndoDialog({
  site,
  requestIds,
  onClose,
  onDone,
}: {
  readonly site: number
  readonly requestIds: readonly string[]
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  /** The last request first, because it may have changed what an earlier one had written. */
  const restore = async (dry_run: boolean): Promise<Restored> => {
    const answers: Restored[] = []
    for (const request_id of [...requestIds].reverse())
      answers.push(await api().restoreSite({ site_id: site, body: { request_id, dry_run } }))
    return {
      restored: answers.flatMap(({ restored }) => restored),
      not_restored: answers.flatMap(({ not_restored }) => not_restored),
    }
  }
  return (
    <WriteDialog
      title="Take it back"
      label="Take back"
      dryRun={() => restore(true)}
      changes={({ restored }) => restored.length > 0}
      write={async () => `Taken back: ${count((await restore(false)).restored.length, 'thing')}.`}
      {...{ onClose, onDone }}
    >
      {({ restored, not_restored }) => (
        <>
          {restored.length === 0 && <p>Nothing differs from the state before.</p>}
          <ThingDiffs things={restored.slice(0, MAX_SHOWN)} />
          {restored.length > MAX_SHOWN && (
            <p class="none">and {count(restored.length - MAX_SHOWN, 'more thing')}</p>
          )}
          {not_restored.length > 0 && (
            <Notice tone="warn" title="Not restored, or not completely">
              <ul>
                {not_restored.map(({ kind, ref, message }) => (
                  <li key={`${kind} ${ref}`} dir="auto">
                    {message}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
        </>
      )}
    </WriteDialog>
  )
}
