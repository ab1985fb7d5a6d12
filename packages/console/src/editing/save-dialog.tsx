import type { ServiceError } from '../../../client/src/index.ts'
import { useSiteRead } from '../calls.ts'
import { ThingDiffs } from '../parts/diff.tsx'
import { ImpactOf } from '../parts/things.tsx'
import { BatchDialog } from '../parts/write-dialog.tsx'
import { count } from '../text.ts'
import type { Written } from '../writes.ts'
import { type FrameChange, storing } from './frame-changes.ts'
import { type Preview, type Problem, Problems, problemsOf, WouldChange } from './preview-report.tsx'

/** Changes that are stored, with the answer of the service. */
export type Saved = { readonly changes: readonly FrameChange[]; readonly written: Written }

type SaveDialogProps = {
  readonly changes: readonly FrameChange[]
  /** The preview of exactly these changes. */
  readonly preview: Preview | undefined
  /** The path to go to when the save is undone [the view stays]. */
  readonly backTo?: string
  readonly onStored: (saved: Saved) => void
  /** A frame was changed or deleted since its change was begun. */
  readonly onConflict: (change: FrameChange, error: ServiceError) => void
  readonly onClose: () => void
}

/**
 * Stores unsaved markup of one or several frames: first shows what is baked, which pages change and what breaks, then asks. With errors in the markup, which
 * stop commands and plans, it asks for "Save anyway".
 */
export function SaveDialog(props: SaveDialogProps) {
  const { changes, preview, backTo, onStored, onConflict, onClose } = props
  const [first] = changes
  const names = changes.length === 1 ? first?.slug : count(changes.length, 'frame')
  const writes = storing(changes)
  const errors = useErrors(changes, preview)
  return (
    <BatchDialog
      {...{ writes, backTo }}
      title={`Save ${names}`}
      label={errors ? 'Save anyway' : 'Save'}
      isDangerous={Boolean(errors)}
      isReady={errors !== undefined}
      done={`${names} saved.`}
      onStored={(written) => onStored({ changes, written })}
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
          {Boolean(errors) && (
            <p role="status">
              <span class="badge bad">{count(errors ?? 0, 'error')}</span> Visitors do not see what
              the errors name.
            </p>
          )}
          <Problems found={preview ? problemsOf(preview) : problemsIn(found)} />
          <ThingDiffs things={found.diffs} />
          {preview ? (
            <WouldChange preview={preview} />
          ) : (
            changes
              .filter(({ base }) => base !== undefined)
              .map(({ slug }) => <ImpactOf key={slug} slug={slug} />)
          )}
        </>
      )}
    </BatchDialog>
  )
}

/** How many errors the markup has; undefined until that is known. */
function useErrors(
  changes: readonly FrameChange[],
  preview: Preview | undefined,
): number | undefined {
  const frames = changes.map(({ slug, html }) => ({ slug, html }))
  const { reading, answer } = useSiteRead('checkFrames', preview ? undefined : { body: { frames } })
  const { problems = [] } = preview ?? answer ?? {}
  if (!preview && reading.state === 'loading') return undefined
  return problems.filter(({ severity }) => severity === 'error').length
}

/** Which write of a batch an error is about. */
const indexIn = ({ fields }: ServiceError): number =>
  (fields as { readonly request?: { readonly index: number } }).request?.index ?? 0

type Report = { readonly warnings?: readonly string[]; readonly frame_refs_missing?: string[] }

/** What the writes themselves report, without a page on which the frames are shown. */
function problemsIn({ responses }: Written): Problem[] {
  return responses.flatMap(({ body }) => {
    const { warnings = [], frame_refs_missing: missing = [] } = body as Report
    const texts = [
      ...warnings,
      ...missing.map((ref) => `The frame "${ref}" does not exist; its insert prints nothing.`),
    ]
    return texts.map((text) => ({ text }))
  })
}
