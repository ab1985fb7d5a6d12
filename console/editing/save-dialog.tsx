import type { ServiceError } from '../../packages/client/src/index.ts'
import { ThingDiffs } from '../parts/thing-diffs.tsx'
import { WriteDialog } from '../parts/write-dialog.tsx'
import { count } from '../text.ts'
import { ImpactOf } from '../views/frame/impact.tsx'
import { type Preview, Problems, problemsOf, WouldChange } from '../views/frame/preview-report.tsx'
import { storeWrites, tryWrites, type Written } from '../writes.ts'
import { type FrameChange, storing } from './frame-changes.ts'

/** Changes that are stored, with the answer of the service. */
export type Saved = { readonly changes: readonly FrameChange[]; readonly written: Written }

type SaveDialogProps = {
  readonly site: number
  readonly changes: readonly FrameChange[]
  /** The preview of exactly these changes. */
  readonly preview: Preview | undefined
  readonly onStored: (saved: Saved) => void
  /** A frame was changed or deleted since its change was begun. */
  readonly onConflict: (change: FrameChange, error: ServiceError) => void
  readonly onClose: () => void
}

/** Stores unsaved markup of one or several frames: first shows what is baked, which pages change and what breaks, then asks. */
export function SaveDialog(props: SaveDialogProps) {
  const { site, changes, preview, onStored, onConflict, onClose } = props
  const [first] = changes
  const names = changes.length === 1 ? first?.slug : count(changes.length, 'frame')
  const writes = storing(changes)
  return (
    <WriteDialog
      title={`Save ${names}`}
      label="Save"
      dryRun={() => tryWrites(site, writes)}
      write={async (found) => {
        const written = await storeWrites(site, writes, found)
        onStored({ changes, written })
        return `${names} saved.`
      }}
      onError={(error) => {
        const change = changes[indexIn(error)]
        if (!change || !['precondition_failed', 'frame_not_found'].includes(error.code))
          return false
        onClose()
        onConflict(change, error)
        return true
      }}
      onClose={onClose}
    >
      {(found) => (
        <>
          <Problems found={preview ? problemsOf(preview) : problemsIn(found)} />
          <ThingDiffs things={found.diffs ?? []} />
          {preview ? (
            <WouldChange site={site} preview={preview} />
          ) : (
            changes
              .filter(({ base }) => base !== undefined)
              .map(({ slug }) => <ImpactOf key={slug} {...{ site, slug }} />)
          )}
        </>
      )}
    </WriteDialog>
  )
}

/** Which write of a batch an error is about. */
const indexIn = ({ fields }: ServiceError): number =>
  (fields as { readonly request?: { readonly index: number } }).request?.index ?? 0

type Report = { readonly warnings?: readonly string[]; readonly frame_refs_missing?: string[] }

/** What the writes themselves report, without a page on which the frames are shown. */
function problemsIn({ responses }: Written): string[] {
  return responses.flatMap(({ body }) => {
    const { warnings = [], frame_refs_missing: missing = [] } = body as Report
    return [
      ...warnings,
      ...missing.map((ref) => `The frame "${ref}" does not exist; its insert prints nothing.`),
    ]
  })
}
