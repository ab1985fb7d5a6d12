import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ServiceError } from '../../../client/src/index.ts'
import { asServiceError } from '../client.ts'
import { Confirm, Dialog } from './dialog.tsx'
import { Loading } from './loaded.tsx'
import { announce, ErrorNotice, Notice } from './notice.tsx'

export type WriteDialogProps<Found> = {
  readonly title: string
  /** The button that stores. */
  readonly label: string
  readonly isDangerous?: boolean
  /** What the write needs to know, above what it would do. */
  readonly input?: ComponentChildren
  /** Runs the write without storing anything; undefined as long as the input is not complete. */
  readonly dryRun: (() => Promise<Found>) | undefined
  /** The dry run is repeated when this changes. */
  readonly of?: string | number
  /** Whether the write would change something [yes]. */
  readonly changes?: (found: Found) => boolean
  /** Stores what was shown. @returns what to announce */
  readonly write: (found: Found) => Promise<string>
  /** Handles an error in another way than by showing it. @returns whether it did */
  readonly onError?: (error: ServiceError) => boolean
  readonly onClose: () => void
  readonly onDone?: () => void
  readonly children: (found: Found) => ComponentChildren
}

/** The dialog of every write: runs it without storing anything, shows what it would do, then asks. */
export function WriteDialog<Found>(props: WriteDialogProps<Found>) {
  const { title, label, isDangerous = false, input, dryRun, of, changes, onClose, children } = props
  const found = useSignal<Found | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const hasChanged = useSignal(false)
  const attempt = useSignal(0)
  useEffect(() => {
    let isOver = false
    found.value = undefined
    error.value = undefined
    dryRun?.().then(
      (answer) => {
        if (isOver) return
        found.value = answer
        announce('What it would do is shown.')
      },
      (caught) => {
        const failure = asServiceError(caught)
        if (!isOver && props.onError?.(failure) !== true) error.value = failure
      },
    )
    return () => {
      isOver = true
    }
  }, [of, dryRun === undefined, attempt.value])
  const confirm = async (shown: Found) => {
    try {
      const message = await props.write(shown)
      onClose()
      announce(message)
      props.onDone?.()
    } catch (caught) {
      const failure = asServiceError(caught)
      if (props.onError?.(failure) === true) return
      if (failure.code !== 'plan_changed') throw caught
      // Nothing is stored. What it would do now is shown, and asked again.
      hasChanged.value = true
      attempt.value += 1
    }
  }
  const shown = found.value
  return (
    <Dialog title={title} onClose={onClose}>
      {input}
      {hasChanged.value && (
        <Notice tone="warn" title="Something has changed meanwhile">
          <p role="status">Nothing is stored. This is what it would do now.</p>
        </Notice>
      )}
      {error.value && <ErrorNotice error={error.value} />}
      {dryRun && shown === undefined && !error.value && <Loading />}
      {shown !== undefined && <div class="stack">{children(shown)}</div>}
      <Confirm
        {...{ label, isDangerous, onClose }}
        onConfirm={
          shown !== undefined && (changes?.(shown) ?? true) ? () => confirm(shown) : undefined
        }
      />
    </Dialog>
  )
}
