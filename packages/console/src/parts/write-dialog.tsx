import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ServiceError } from '../../../client/src/index.ts'
import { asServiceError } from '../client.ts'
import { useSite } from '../current.ts'
import { count } from '../text.ts'
import { runWrites, type Write, type Written, wrote } from '../writes.ts'
import { Confirm, Dialog } from './dialog.tsx'
import { ThingDiffs } from './diff.tsx'
import { announce, ErrorNotice, forPeople, Loading, Notice } from './notice.tsx'

type WriteDialogProps<Found> = {
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
  const found = useSignal<{ of: typeof of; answer: Found } | undefined>(undefined)
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
        found.value = { of, answer }
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
  // Of the input as it is now: until the effect has run, what was found is of the former one.
  const shown = dryRun && found.value && found.value.of === of ? found.value.answer : undefined
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

type BatchDialogProps = Omit<
  WriteDialogProps<readonly Written[]>,
  'dryRun' | 'write' | 'of' | 'changes' | 'children'
> & {
  /** Undefined as long as the input is not complete. */
  readonly writes: readonly Write[] | undefined
  /** How many of them, each of one page, are stored together [all]. */
  readonly perBatch?: number
  /** Whether it is known what is asked [yes]. */
  readonly isReady?: boolean
  /** What is done then, as a sentence. */
  readonly done: string
  /** The path to go to when it is undone [the view stays]. */
  readonly backTo?: string | undefined
  /** May go to another view, which then shows what was done. */
  readonly onStored?: (written: Written) => void
  /** What the writes would do [the difference of each thing]. */
  readonly children?: (found: Written) => ComponentChildren
}

/**
 * A dialog for writes, each batch of which is stored completely or not at all: shows what they would do, then asks; after that, the view shows what was done
 * and undoes it.
 */
export function BatchDialog({
  writes = [],
  perBatch = writes.length,
  isReady = true,
  done,
  backTo,
  onStored,
  children = ({ diffs }) => <ThingDiffs things={diffs} />,
  ...dialog
}: BatchDialogProps) {
  const { site_id: site } = useSite()
  const batches = Array.from({ length: Math.ceil(writes.length / perBatch) || 0 }, (_, at) =>
    writes.slice(at * perBatch, (at + 1) * perBatch),
  )
  const tryAll = async () => {
    const tried: Written[] = []
    for (const batch of batches) tried.push(await runWrites(site, batch, { dry_run: true }))
    return tried
  }
  const storeAll = async (tried: readonly Written[]) => {
    const answers: Written[] = []
    let said = done
    const notDone: string[] = []
    try {
      for (const [at, batch] of batches.entries())
        answers.push(await runWrites(site, batch, { plan: tried[at]?.plan }))
    } catch (caught) {
      if (answers.length === 0) throw caught
      said = `Only ${answers.length * perBatch} of ${count(writes.length, 'page')} are changed.`
      notDone.push(`The next batch was refused: ${forPeople(asServiceError(caught).message)}`)
    }
    onStored?.(answers[0] as Written)
    wrote({ site, done: said, notDone, answers, backTo })
    return said
  }
  return (
    <WriteDialog
      {...dialog}
      of={JSON.stringify(writes)}
      dryRun={batches.length > 0 ? tryAll : undefined}
      changes={() => isReady}
      write={storeAll}
    >
      {([first, ...others]) => (
        <>
          {first && children(first)}
          {others.length > 0 && (
            <p class="hint">
              It is stored in {batches.length} batches of at most {perBatch} pages, each completely
              or not at all.
            </p>
          )}
        </>
      )}
    </WriteDialog>
  )
}
