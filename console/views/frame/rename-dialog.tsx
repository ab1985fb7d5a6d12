import { useSignal } from '@preact/signals'
import type { Output, ServiceError } from '../../../packages/client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { announce, ErrorNotice } from '../../parts/notice.tsx'
import { FrameLink, Things } from '../../parts/things.tsx'
import { count } from '../../text.ts'
import { ImpactOf } from './impact.tsx'

type Checked = { readonly slug: string; readonly renamed: Output<'renameFrame'>['renamed'] }

/** Renames a frame: first shows what that changes, then asks. */
export function RenameDialog({
  site,
  slug,
  onClose,
  onDone,
}: {
  readonly site: number
  readonly slug: string
  readonly onClose: () => void
  readonly onDone: (to: string) => void
}) {
  const checked = useSignal<Checked | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const send = (wanted: string, dry_run: boolean) =>
    api().renameFrame({ site_id: site, ref: slug, body: { slug: wanted, dry_run } })

  const check = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const wanted = String(new FormData(event.currentTarget).get('slug')).trim()
    checked.value = undefined
    error.value = undefined
    try {
      const { renamed } = await send(wanted, true)
      checked.value = { slug: wanted, renamed }
      announce(`${count(renamed.details.length, 'frame')} would be changed.`)
    } catch (caught) {
      error.value = asServiceError(caught)
    }
  }
  const rename = async ({ slug: wanted }: Checked) => {
    const { renamed } = await send(wanted, false)
    onClose()
    announce(`Renamed to ${renamed.to}.`)
    onDone(renamed.to)
  }

  const found = checked.value
  return (
    <Dialog title={`Rename ${slug}`} onClose={onClose}>
      <form class="field" onSubmit={check}>
        <label for="new-slug">New slug</label>
        <div class="row">
          <input
            id="new-slug"
            name="slug"
            defaultValue={slug}
            autocomplete="off"
            spellcheck={false}
            onInput={() => {
              checked.value = undefined
            }}
          />
          <button type="submit">Check</button>
        </div>
      </form>
      {error.value && <ErrorNotice error={error.value} />}
      {found && (
        <div class="stack">
          <p>
            <strong>{found.renamed.from}</strong> becomes <strong>{found.renamed.to}</strong>.
          </p>
          <Things
            title="Frames whose markup is rewritten"
            total={found.renamed.details.length}
            items={found.renamed.details}
            none="No frame embeds it."
          >
            {({ slug: name, replaced }) => (
              <span class="thing">
                <FrameLink site={site} slug={name} />
                <span class="none">{count(replaced, 'reference')}</span>
              </span>
            )}
          </Things>
          <ImpactOf {...{ site, slug }} />
        </div>
      )}
      <Confirm label="Rename" onConfirm={found && (() => rename(found))} onClose={onClose} />
    </Dialog>
  )
}
