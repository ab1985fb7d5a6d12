import { useSignal } from '@preact/signals'
import { api } from '../../client.ts'
import { useSite } from '../../current.ts'
import { keepDraft } from '../../editing/drafts.ts'
import { withLineFeeds } from '../../editing/frame-changes.ts'
import { Select } from '../../parts/fields.tsx'
import { ErrorNotice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { useRead } from '../../reading.ts'
import { goTo } from '../../router.ts'
import { useTask } from '../../task.ts'
import { count } from '../../text.ts'
import { LAYOUT } from './layout.ts'

/** The frames of a site that has more are pulled and pushed by commands. */
const MAX_FRAMES = 100

type NewFrame = { readonly slug: string; readonly html: string }

/**
 * What a site without frames offers: a layout, or the frames of another site. Both become unsaved text, which is shown on a page of the site before it is
 * stored.
 */
export function Begin() {
  const { site_id: site } = useSite()
  const { error, isRunning, run } = useTask()
  const from = useSignal<string | undefined>(undefined)
  const { reading } = useRead('listSites', {})
  const others = (reading.state === 'ready' ? reading.answer.sites : [])
    .map(({ site_id, title, frames }) => ({ site_id, title, frames: frames ?? 0 }))
    .filter(({ site_id, frames }) => site_id !== site && frames > 0 && frames <= MAX_FRAMES)

  const begin = (read: () => Promise<readonly NewFrame[]>) =>
    run(async () => {
      for (const { slug, html } of await read())
        keepDraft(site, { ref: slug, slug, base: undefined, html: withLineFeeds(html) })
      goTo(`/sites/${site}/changes`)
    })
  return (
    <div class="stack">
      <p>
        This site has no frames. A frame is a piece of HTML with a name, such as a header. A frame
        that embeds others and is assigned to pages is what visitors of these pages get.
      </p>
      {error && <ErrorNotice error={error} />}
      <div class="stack side-by-side">
        <Panel title="Start from a layout">
          <p>
            A header, a footer, and a page with the text that editors have written in WordPress. You
            see it on your pages before anything is stored.
          </p>
          <div class="row">
            <button
              type="button"
              class="primary"
              disabled={isRunning}
              onClick={() => begin(async () => LAYOUT)}
            >
              Show the layout
            </button>
          </div>
        </Panel>
        {others.length > 0 && (
          <Panel title="Take over the frames of another site">
            <Select
              label="Site"
              value={from.value ?? others[0]?.site_id}
              options={others.map(({ site_id, title, frames }) => [
                site_id,
                `${title} (${count(frames, 'frame')})`,
              ])}
              onChange={(chosen) => (from.value = chosen)}
            />
            <div class="row">
              <button
                type="button"
                disabled={isRunning}
                onClick={() => begin(() => readFrames(Number(from.value ?? others[0]?.site_id)))}
              >
                {isRunning ? 'Working...' : 'Show them on this site'}
              </button>
            </div>
          </Panel>
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
