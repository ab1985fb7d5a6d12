import { useSignal } from '@preact/signals'
import { api } from '../client.ts'
import { useSite } from '../current.ts'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/fields.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { SlugField, slugOf } from '../parts/slug-field.tsx'
import { useSiteRead } from '../reading.ts'
import { goTo, path } from '../router.ts'
import { useTask } from '../task.ts'
import { tryWrites } from '../writes.ts'
import { keepDraft } from './drafts.ts'
import { withLineFeeds } from './frame-changes.ts'

/**
 * Begins a new frame, empty or as a copy of another one. It is checked that it could be created, but nothing is stored: the editor shows it, and
 * saving it there creates it.
 */
export function NewFrameDialog({
  name: wanted = '',
  copyOf = '',
  onClose,
}: {
  readonly name?: string
  readonly copyOf?: string
  readonly onClose: () => void
}) {
  const { site_id: site } = useSite()
  const { error, isRunning, run } = useTask()
  const search = useSignal(copyOf)
  const slug = useSignal<string | undefined>(undefined)
  const { reading } = useSiteRead('listFrames', { q: search.value, limit: 20 })
  const known = reading.state === 'ready' ? reading.answer.frames : []

  const begin = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const from = String(fields.get('from')).trim()
    // Who presses Enter at once is ahead of what the field has reported.
    const name = slugOf(String(fields.get('name')))
    return run(async () => {
      const html =
        from === '' ? '' : (await api().getFrame({ site_id: site, ref: from })).frame.html
      const change = { ref: name, slug: name, base: undefined, html: withLineFeeds(html) }
      // Only the name is tried: no frame is stored empty.
      const body = { slug: name, html: html || '<p></p>' }
      await tryWrites(site, [{ method: 'POST', path: '/frames', body }])
      keepDraft(site, change)
      goTo(path`/sites/${site}/frames/${name}`)
    })
  }
  return (
    <Dialog title={copyOf === '' ? 'New frame' : `Duplicate ${copyOf}`} onClose={onClose}>
      <form class="stack" onSubmit={begin}>
        <SlugField initial={wanted} onSlug={(found) => (slug.value = found)} />
        <TextField
          label="Copy of (optional)"
          name="from"
          list="frames-to-copy"
          defaultValue={copyOf}
          spellcheck={false}
          onInput={({ currentTarget }) => (search.value = currentTarget.value.trim())}
        />
        <datalist id="frames-to-copy">
          {known.map(({ slug }) => (
            <option key={slug} value={slug} />
          ))}
        </datalist>
        {error && <ErrorNotice error={error} />}
        <p class="hint">Nothing is stored yet: the frame is created when you save it.</p>
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isRunning || !slug.value}>
            {isRunning ? 'Working...' : 'Continue'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
