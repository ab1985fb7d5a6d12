import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RebakeFrames } from '../../answers.ts'
import { type AnswerOf, type ApiError, call, path } from '../../api.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { announce, ErrorNotice } from '../../parts/notice.tsx'
import { FrameLink, Things } from '../../parts/things.tsx'
import { asApiError } from '../../reading.ts'
import { count } from '../../text.ts'

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
  const would = useSignal<AnswerOf<RebakeFrames>['would_rebake']>(undefined)
  const error = useSignal<ApiError | undefined>(undefined)
  const send = (dry_run: boolean) =>
    call<RebakeFrames>('POST', path`/site/${site}/frames/rebake`, {
      body: { frames: [slug], dry_run },
    })
  useEffect(() => {
    send(true).then(
      ({ would_rebake }) => {
        would.value = would_rebake
      },
      (caught) => {
        error.value = asApiError(caught)
      },
    )
  }, [])
  const rebake = async () => {
    const { rebaked } = await send(false)
    onClose()
    announce(`${count(rebaked?.baked ?? 0, 'frame')} baked.`)
    onDone()
  }
  const found = would.value
  return (
    <Dialog title={`Rebake what shows ${slug}`} onClose={onClose}>
      {error.value && <ErrorNotice error={error.value} />}
      {!found && !error.value && <Loading />}
      {found && (
        <div class="stack">
          <Things title="Frames" total={found.total} items={found.frames} none="No frame.">
            {({ slug: name }) => <FrameLink site={site} slug={name} />}
          </Things>
          <p>
            {count(found.pages_total, 'page')} would be published again if they come out changed.
          </p>
        </div>
      )}
      <Confirm label="Rebake" onConfirm={found && rebake} onClose={onClose} />
    </Dialog>
  )
}
