import { api } from '../../client.ts'
import { WriteDialog } from '../../parts/write-dialog.tsx'
import { count } from '../../text.ts'
import { ChangeImpact } from './impact.tsx'

/** Builds the frames that embed a frame again: first shows which ones, then asks. */
export function RebakeDialog({
  site,
  slug,
  onClose,
  onDone,
}: {
  readonly site: number
  readonly slug: string
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const send = (dry_run: boolean) =>
    api().rebakeFrames({ site_id: site, body: { frames: [slug], dry_run } })
  return (
    <WriteDialog
      title={`Build what shows ${slug} again`}
      label="Build again"
      dryRun={() => send(true)}
      write={async () => {
        const answer = await send(false)
        return 'rebaked' in answer ? `${count(answer.rebaked.baked, 'frame')} built.` : ''
      }}
      onClose={onClose}
      onDone={onDone}
    >
      {(found) => 'impact' in found && <ChangeImpact site={site} change={found.impact} />}
    </WriteDialog>
  )
}
