import { useSignal } from '@preact/signals'
import type { ServiceError } from '../../../../client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { me } from '../../current.ts'
import { keepDraft } from '../../editing/drafts.ts'
import { withLineFeeds } from '../../editing/frame-changes.ts'
import { ErrorNotice } from '../../parts/notice.tsx'
import { useRead } from '../../reading.ts'
import { goTo } from '../../router.ts'
import { count } from '../../text.ts'
import { LAYOUT } from './layout.ts'

/** The frames of a site that has more are pulled and pushed by commands. */
const MAX_FRAMES = 100

type NewFrame = { readonly slug: string; readonly html: string }

/**
 * What a site without frames offers: a layout, or the frames of another site. Both become unsaved text, which is shown on a page of the site before it is
 * stored.
 */
export function Begin({ site }: { readonly site: number }) {
  const error = useSignal<ServiceError | undefined>(undefined)
  const isRunning = useSignal(false)
  const { reading } = useRead('listSites', {})
  const others = (reading.state === 'ready' ? reading.answer.sites : [])
    .map(({ site_id, title, frames }) => ({ site_id, title, frames: frames ?? 0 }))
    .filter(({ site_id, frames }) => site_id !== site && frames > 0 && frames <= MAX_FRAMES)

  const begin = async (read: () => Promise<readonly NewFrame[]>) => {
    const user = me.value?.user.id
    if (user === undefined) return
    error.value = undefined
    isRunning.value = true
    try {
      const at = Date.now()
      for (const { slug, html } of await read())
        keepDraft({ ref: slug, slug, base: undefined, html: withLineFeeds(html), user, site, at })
      goTo(`/sites/${site}/changes`)
    } catch (caught) {
      error.value = asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  return (
    <div class="stack">
      <p>
        This site has no frames. A frame is a piece of HTML with a name, such as a header. A frame
        that embeds others and is assigned to pages is what visitors of these pages get.
      </p>
      {error.value && <ErrorNotice error={error.value} />}
      <div class="stack side-by-side">
        <section class="panel">
          <h2>Start from a layout</h2>
          <div class="panel-body stack">
            <p>
              A header, a footer, and a page with the text that editors have written in WordPress.
              You see it on your pages before anything is stored.
            </p>
            <div class="row">
              <button
                type="button"
                class="primary"
                disabled={isRunning.value}
                onClick={() => begin(async () => LAYOUT)}
              >
                Show the layout
              </button>
            </div>
          </div>
        </section>
        {others.length > 0 && (
          <section class="panel">
            <h2>Take over the frames of another site</h2>
            <form
              class="panel-body stack"
              onSubmit={(event) => {
                event.preventDefault()
                const from = Number(new FormData(event.currentTarget).get('from'))
                begin(() => readFrames(from))
              }}
            >
              <label class="field">
                Site
                <select name="from">
                  {others.map(({ site_id, title, frames }) => (
                    <option key={site_id} value={site_id}>
                      {title} ({count(frames, 'frame')})
                    </option>
                  ))}
                </select>
              </label>
              <div class="row">
                <button type="submit" disabled={isRunning.value}>
                  {isRunning.value ? 'Working...' : 'Show them on this site'}
                </button>
              </div>
            </form>
          </section>
        )}
      </div>
      <p class="hint">
        When the frames are stored, assign the one that is a whole page to pages of the site: select
        them in the view Pages.
      </p>
    </div>
  )
}

async function readFrames(site_id: number): Promise<NewFrame[]> {
  const { frames } = await api().listFrames({ site_id, limit: MAX_FRAMES })
  const read: NewFrame[] = []
  // One after the other: many requests at once would be refused.
  for (const { id } of frames) {
    const { frame } = await api().getFrame({ site_id, ref: id })
    read.push({ slug: frame.slug, html: frame.html })
  }
  return read
}
