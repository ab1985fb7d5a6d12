import { useSignal } from '@preact/signals'
import { useActions } from '../../actions.ts'
import { api } from '../../client.ts'
import { mayPlan, maySend, useSite } from '../../current.ts'
import { NewFrameDialog } from '../../editing/new-frame-dialog.tsx'
import { Button } from '../../parts/fields.tsx'
import { SlugField } from '../../parts/slug-field.tsx'
import { ChangeImpact, FrameLink, ImpactOf, Things } from '../../parts/things.tsx'
import { BatchDialog, WriteDialog } from '../../parts/write-dialog.tsx'
import { goTo, inSite, linkTo, path } from '../../router.ts'
import { count } from '../../text.ts'
import { answerOf } from '../../writes.ts'
import { AssignDialog } from '../pages/assign-dialog.tsx'

const ACTIONS = [
  ['duplicate', 'Duplicate'],
  ['rename', 'Rename'],
  ['assign', 'Assign to a page'],
  ['rebake', 'Build again'],
  ['delete', 'Delete'],
] as const

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
            <Button key={name} label={label} onClick={() => (open.value = name)} />
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

type DialogProps = {
  readonly slug: string
  readonly onClose: () => void
}

/** The frame is written only if it is still this version. */
type OfVersion = DialogProps & { readonly etag: string }

/** Renames a frame: first shows what that changes, then asks. */
function RenameDialog({ slug, etag, onClose }: OfVersion) {
  const { site_id: site } = useSite()
  const wanted = useSignal<string | undefined>(undefined)
  const to = wanted.value
  const frame = path`/frames/${slug}`
  return (
    <BatchDialog
      title={`Rename ${slug}`}
      label="Rename"
      input={
        <SlugField
          initial={slug}
          current={slug}
          onSlug={(found, isSettled) => (wanted.value = isSettled ? found : undefined)}
        />
      }
      writes={
        to === undefined
          ? undefined
          : [{ method: 'PATCH', path: frame, headers: { 'If-Match': etag }, body: { slug: to } }]
      }
      done={`${slug} is renamed to ${to}.`}
      onStored={() => goTo(path`/sites/${site}/frames/${to ?? slug}`)}
      backTo={`/sites/${site}${frame}`}
      onClose={onClose}
    >
      {(found) => {
        const { details } = answerOf<'renameFrame'>(found).renamed
        return (
          <>
            <p>
              <strong>{slug}</strong> becomes <strong>{to}</strong>.
            </p>
            <Things
              title="Frames whose markup is rewritten"
              items={details}
              none="No frame embeds it."
            >
              {({ slug: name, replaced }) => (
                <span class="thing">
                  <FrameLink slug={name} />
                  <span class="none">{count(replaced, 'reference')}</span>
                </span>
              )}
            </Things>
            <ImpactOf slug={slug} />
          </>
        )
      }}
    </BatchDialog>
  )
}

/** Deletes a frame: first shows what that breaks, then asks. */
function DeleteDialog({ slug, etag, onClose }: OfVersion) {
  const { site_id: site } = useSite()
  return (
    <BatchDialog
      title={`Delete ${slug}`}
      label="Delete"
      isDangerous
      writes={[{ method: 'DELETE', path: path`/frames/${slug}`, headers: { 'If-Match': etag } }]}
      done={`${slug} is deleted.`}
      onStored={() => goTo(`/sites/${site}`)}
      onClose={onClose}
    >
      {() => <ImpactOf slug={slug} isDeletion />}
    </BatchDialog>
  )
}

/** Builds the frames that embed a frame again: first shows which ones, then asks. */
function RebakeDialog({ slug, ...dialog }: DialogProps & { readonly onDone: () => void }) {
  const { site_id } = useSite()
  const send = (dry_run: boolean) =>
    api().rebakeFrames({ site_id, body: { frames: [slug], dry_run } })
  return (
    <WriteDialog
      {...dialog}
      title={`Build what shows ${slug} again`}
      label="Build again"
      dryRun={() => send(true)}
      write={async () => {
        const answer = await send(false)
        return 'rebaked' in answer ? `${count(answer.rebaked.baked, 'frame')} built.` : ''
      }}
    >
      {(found) => 'impact' in found && <ChangeImpact change={found.impact} />}
    </WriteDialog>
  )
}
