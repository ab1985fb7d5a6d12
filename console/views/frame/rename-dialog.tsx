import { useSignal } from '@preact/signals'
import { FrameLink, Things } from '../../parts/things.tsx'
import { WriteDialog } from '../../parts/write-dialog.tsx'
import { path } from '../../router.ts'
import { count } from '../../text.ts'
import { answerOf, storeWrites, tryWrites, type Write } from '../../writes.ts'
import { ImpactOf } from './impact.tsx'

/** Renames a frame: first shows what that changes, then asks. */
export function RenameDialog({
  site,
  slug,
  etag,
  onClose,
  onDone,
}: {
  readonly site: number
  readonly slug: string
  readonly etag: string
  readonly onClose: () => void
  readonly onDone: (to: string) => void
}) {
  const wanted = useSignal<string | undefined>(undefined)
  const writes = (to: string): Write[] => [
    {
      method: 'PATCH',
      path: path`/frames/${slug}`,
      headers: { 'If-Match': etag },
      body: { slug: to },
    },
  ]
  const to = wanted.value
  return (
    <WriteDialog
      title={`Rename ${slug}`}
      label="Rename"
      of={to ?? ''}
      input={
        <form
          class="field"
          onSubmit={(event) => {
            event.preventDefault()
            wanted.value = String(new FormData(event.currentTarget).get('slug')).trim()
          }}
        >
          <label for="new-slug">New slug</label>
          <div class="row">
            <input
              id="new-slug"
              name="slug"
              defaultValue={slug}
              autocomplete="off"
              spellcheck={false}
              onInput={() => {
                wanted.value = undefined
              }}
            />
            <button type="submit">Check</button>
          </div>
        </form>
      }
      dryRun={to === undefined ? undefined : () => tryWrites(site, writes(to))}
      write={async (found) => {
        const written = await storeWrites(site, writes(to ?? ''), found)
        const { renamed } = answerOf<'renameFrame'>(written)
        onDone(renamed.to)
        return `Renamed to ${renamed.to}.`
      }}
      onClose={onClose}
    >
      {(found) => {
        const { from, to, details } = answerOf<'renameFrame'>(found).renamed
        return (
          <>
            <p>
              <strong>{from}</strong> becomes <strong>{to}</strong>.
            </p>
            <Things
              title="Frames whose markup is rewritten"
              total={details.length}
              items={details}
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
          </>
        )
      }}
    </WriteDialog>
  )
}
