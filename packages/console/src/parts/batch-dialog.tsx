import { useSite } from '../current.ts'
import { wrote } from '../last-write.ts'
import { storeWrites, tryWrites, type Write, type Written } from '../writes.ts'
import { WriteDialog, type WriteDialogProps } from './write-dialog.tsx'

type BatchDialogProps = Omit<WriteDialogProps<Written>, 'dryRun' | 'write' | 'onDone'> & {
  /** Undefined as long as the input is not complete. */
  readonly writes: Write[] | undefined
  /** What is done then, as a sentence. */
  readonly done: (written: Written) => string
  /** The path to go to when it is undone [the view stays]. */
  readonly backTo?: string | undefined
  /** May go to another view, which then shows what was done. */
  readonly onStored?: (written: Written) => void
}

/** A dialog for writes that are stored together: shows what they would do, then asks; after that, the view shows what was done and undoes it. */
export function BatchDialog(props: BatchDialogProps) {
  const { site_id: site } = useSite()
  const { writes, done, backTo, onStored, ...dialog } = props
  return (
    <WriteDialog
      {...dialog}
      dryRun={writes && (() => tryWrites(site, writes))}
      write={async (found) => {
        const written = await storeWrites(site, writes ?? [], found)
        const said = done(written)
        onStored?.(written)
        wrote({ site, done: said, answers: [written], ...(backTo === undefined ? {} : { backTo }) })
        return said
      }}
    />
  )
}
