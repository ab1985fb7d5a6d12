import type { ComponentChildren } from 'preact'
import { asServiceError } from '../client.ts'
import { useSite } from '../current.ts'
import { wrote } from '../last-write.ts'
import { count } from '../text.ts'
import { storeWrites, tryWrites, type Write, type Written } from '../writes.ts'
import { forPeople } from './notice.tsx'
import { ThingDiffs } from './thing-diffs.tsx'
import { WriteDialog, type WriteDialogProps } from './write-dialog.tsx'

type Common = Omit<
  WriteDialogProps<readonly Written[]>,
  'dryRun' | 'write' | 'of' | 'changes' | 'onDone' | 'children'
>
type BatchDialogProps = Common & {
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
    for (const batch of batches) tried.push(await tryWrites(site, batch))
    return tried
  }
  const storeAll = async (tried: readonly Written[]) => {
    const answers: Written[] = []
    let said = done
    const notDone: string[] = []
    try {
      for (const [at, batch] of batches.entries())
        answers.push(await storeWrites(site, batch, tried[at] as Written))
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
