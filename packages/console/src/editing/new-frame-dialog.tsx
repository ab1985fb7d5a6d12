import { useSignal } from '@preact/signals'
import { useSiteRead, useTask } from '../calls.ts'
import { api } from '../client.ts'
import { useSite } from '../current.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Button, TextField } from '../parts/fields.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { SlugField, slugOf } from '../parts/slug-field.tsx'
import { goTo, path } from '../router.ts'
import { runWrites } from '../writes.ts'
import { keepDraft, withLineFeeds } from './frame-changes.ts'

type NewFrameDialogProps = {
  readonly name?: string
  readonly copyOf?: string
  readonly onClose: () => void
}

/**
 * Begins a new frame, empty or as a copy of another one. It is checked that it could be created, but nothing is stored: the editor shows it, and
 * saving it there creates it.
 */
export function NewFrameDialog({ name: wanted = '', copyOf = '', onClose }: NewFrameDialogProps) {
  const { site_id: site } = useSite()
  const { error, isRunning, run } = useTask()
  const search = useSignal(copyOf)
  const slug = useSignal<string | undefined>(undefined)
  const { answer } = useSiteRead('listFrames', { q: search.value, limit: 20 })

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
      await runWrites(site, [{ method: 'POST', path: '/frames', body }], { dry_run: true })
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
          {answer?.frames.map(({ slug }) => (
            <option key={slug} value={slug} />
          ))}
        </datalist>
        {error && <ErrorNotice error={error} />}
        <p class="hint">Nothing is stored yet: the frame is created when you save it.</p>
        <div class="dialog-foot">
          <Button label="Cancel" onClick={onClose} />
          <button type="submit" class="primary" disabled={isRunning || !slug.value}>
            {isRunning ? 'Working...' : 'Continue'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
