import { useSignal } from '@preact/signals'
import type { ServiceError } from '../../../client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { me } from '../current.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { useRead } from '../reading.ts'
import { goTo, path } from '../router.ts'
import { tryWrites } from '../writes.ts'
import { keepDraft } from './drafts.ts'
import { withLineFeeds } from './frame-changes.ts'

/**
 * Begins a new frame, empty or as a copy of another one. It is checked that it could be created, but nothing is stored: the editor shows it, and
 * saving it there creates it.
 */
export function NewFrameDialog({
  site,
  slug: wanted = '',
  copyOf = '',
  onClose,
}: {
  readonly site: number
  readonly slug?: string
  readonly copyOf?: string
  readonly onClose: () => void
}) {
  const error = useSignal<ServiceError | undefined>(undefined)
  const isRunning = useSignal(false)
  const search = useSignal(copyOf)
  const { reading } = useRead('listFrames', { site_id: site, q: search.value, limit: 20 })
  const known = reading.state === 'ready' ? reading.answer.frames : []

  const begin = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name)).trim()
    error.value = undefined
    isRunning.value = true
    try {
      const slug = text('slug').toLowerCase()
      const from = text('from')
      const html =
        from === '' ? '' : (await api().getFrame({ site_id: site, ref: from })).frame.html
      const change = { ref: slug, slug, base: undefined, html: withLineFeeds(html) }
      // Only the slug is tried: no frame is stored empty.
      const body = { slug, html: html || '<p></p>' }
      await tryWrites(site, [{ method: 'POST', path: '/frames', body }])
      const user = me.value?.user.id
      if (user === undefined) return
      keepDraft({ ...change, user, site, at: Date.now() })
      goTo(path`/sites/${site}/frames/${slug}`)
    } catch (caught) {
      error.value = asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  return (
    <Dialog title={copyOf === '' ? 'New frame' : `Duplicate ${copyOf}`} onClose={onClose}>
      <form class="stack" onSubmit={begin}>
        <div class="field">
          <label for="frame-slug">Slug</label>
          <input
            id="frame-slug"
            name="slug"
            defaultValue={wanted}
            required
            autocomplete="off"
            spellcheck={false}
            aria-describedby="frame-slug-hint"
          />
          <p id="frame-slug-hint" class="hint">
            block__element--modifier, in lower case: site-header, card__title--large
          </p>
        </div>
        <div class="field">
          <label for="frame-from">Copy of (optional)</label>
          <input
            id="frame-from"
            name="from"
            list="frames-to-copy"
            defaultValue={copyOf}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => {
              search.value = currentTarget.value.trim()
            }}
          />
          <datalist id="frames-to-copy">
            {known.map(({ slug }) => (
              <option key={slug} value={slug} />
            ))}
          </datalist>
        </div>
        {error.value && <ErrorNotice error={error.value} />}
        <p class="hint">Nothing is stored yet: the frame is created when you save it.</p>
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isRunning.value}>
            {isRunning.value ? 'Working...' : 'Continue'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
