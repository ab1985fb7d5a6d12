import { useSignal } from '@preact/signals'
import { useActions } from '../../actions.ts'
import { mayPlan, maySend } from '../../current.ts'
import { NewFrameDialog } from '../../editing/new-frame-dialog.tsx'
import { inSite, linkTo, path } from '../../router.ts'
import { AssignDialog } from '../pages/assign-dialog.tsx'
import { DeleteDialog, RebakeDialog, RenameDialog } from './frame-dialogs.tsx'

const ACTIONS = [
  ['duplicate', 'Duplicate'],
  ['rename', 'Rename'],
  ['assign', 'Assign to a page'],
  ['rebake', 'Build again'],
  ['delete', 'Delete'],
] as const

/** The views of a frame. One that does not exist has a history at most. */
export function FrameViews({
  slug,
  isMissing,
}: {
  readonly slug: string
  readonly isMissing: boolean
}) {
  return (
    <nav class="segments" aria-label="Views of the frame">
      <a href={linkTo(inSite(path`/frames/${slug}`))} aria-current="page">
        Frame
      </a>
      {!isMissing && <a href={linkTo(inSite('/graph'), { frame: slug })}>Graph</a>}
      <a href={linkTo(inSite('/history'), { kind: 'frame', ref: slug })}>History</a>
    </nav>
  )
}

type FrameActionsProps = {
  readonly slug: string
  readonly etag: string
  readonly reload: () => void
}

/** What can be done with a frame, if the token may. */
export function FrameActions({ slug, etag, reload }: FrameActionsProps) {
  const open = useSignal<(typeof ACTIONS)[number][0] | undefined>(undefined)
  const onClose = () => (open.value = undefined)
  const frame = { slug, onClose }
  useActions(
    (maySend('frames') ? ACTIONS : []).map(([name, label]) => ({
      label: `${label}: ${slug}`,
      run: () => (open.value = name),
    })),
  )
  return (
    <>
      {maySend('frames') && (
        <fieldset class="row plain" aria-label="Actions">
          {ACTIONS.map(([name, label]) => (
            <button key={name} type="button" onClick={() => (open.value = name)}>
              {label}
            </button>
          ))}
          {mayPlan() && (
            <a class="button" href={linkTo(inSite(path`/frames/${slug}/plan`))}>
              To other sites
            </a>
          )}
        </fieldset>
      )}
      {open.value === 'duplicate' && <NewFrameDialog onClose={onClose} copyOf={slug} />}
      {open.value === 'rename' && <RenameDialog {...{ ...frame, etag }} />}
      {open.value === 'assign' && <AssignDialog {...frame} onDone={reload} />}
      {open.value === 'rebake' && <RebakeDialog {...frame} onDone={reload} />}
      {open.value === 'delete' && <DeleteDialog {...{ ...frame, etag }} />}
    </>
  )
}
