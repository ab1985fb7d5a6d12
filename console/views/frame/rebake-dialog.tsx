import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ServiceError } from '../../../packages/client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { announce, ErrorNotice } from '../../parts/notice.tsx'
import type { Impact } from '../../parts/things.tsx'
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
  const would = useSignal<Impact['change'] | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const send = (dry_run: boolean) =>
    api().rebakeFrames({ site_id: site, body: { frames: [slug], dry_run } })
  useEffect(() => {
    send(true).then(
      (answer) => {
        if ('impact' in answer) would.value = answer.impact
      },
      (caught) => {
        error.value = asServiceError(caught)
      },
    )
  }, [])
  const rebake = async () => {
    const answer = await send(false)
    onClose()
    if ('rebaked' in answer) announce(`${count(answer.rebaked.baked, 'frame')} baked.`)
    onDone()
  }
  const found = would.value
  return (
    <Dialog title={`Rebake what shows ${slug}`} onClose={onClose}>
      {error.value && <ErrorNotice error={error.value} />}
      {!found && !error.value && <Loading />}
      {found && (
        <div class="stack">
          <ChangeImpact site={site} change={found} />
        </div>
      )}
      <Confirm label="Rebake" onConfirm={found && rebake} onClose={onClose} />
    </Dialog>
  )
}
