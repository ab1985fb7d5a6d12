import { useSignal } from '@preact/signals'
import { useRead, useTask } from '../../calls.ts'
import { api } from '../../client.ts'
import { useSite } from '../../current.ts'
import { keepDraft, withLineFeeds } from '../../editing/frame-changes.ts'
import { Button, Select } from '../../parts/fields.tsx'
import { ErrorNotice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { goTo } from '../../router.ts'
import { count } from '../../text.ts'

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
  const { answer } = useRead('listSites', {})
  const others = (answer?.sites ?? [])
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
            <Button
              label="Show the layout"
              class="primary"
              disabled={isRunning}
              onClick={() => begin(async () => LAYOUT)}
            />
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
              <Button
                label={isRunning ? 'Working...' : 'Show them on this site'}
                disabled={isRunning}
                onClick={() => begin(() => readFrames(Number(from.value ?? others[0]?.site_id)))}
              />
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

/** A layout to begin with: the page, and the header and footer that it embeds. */
const LAYOUT: readonly { readonly slug: string; readonly html: string }[] = [
  {
    slug: 'site-header',
    html: `<header class="site-header">
  <a data-op-bind="href:site.url; site.title" href="/">Site</a>
  <nav><!-- svc/menu {"location":"header","depth":1,"current":true} /--></nav>
  <nav data-op-bind="if:languages"><!-- svc/lang-switcher /--></nav>
</header>
`,
  },
  {
    slug: 'site-footer',
    html: `<footer class="site-footer">
  <nav><!-- svc/menu {"location":"footer_1","depth":1} /--></nav>
  <p data-op-bind="site.description">What the site is about</p>
</footer>
`,
  },
  {
    slug: 'page',
    html: `<!doctype html>
<html data-op-bind="lang:site.language_tag; dir:site.dir">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" data-op-bind="content:site.robots" content="">
<title data-op-bind="page.title">Page</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0 auto; max-width: 56rem; padding: 0 1.5rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
  .site-header, .site-footer { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; padding: 1.25rem 0; }
  .site-header { border-bottom: 1px solid; }
  .site-footer { border-top: 1px solid; margin-top: 4rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
  h1 { font-size: 2.5rem; line-height: 1.15; }
</style>
</head>
<body>
<!-- svc/frame {"name":"site-header"} /-->
<main>
  <h1 data-op-bind="page.title">Page</h1>
  <!-- svc/content /-->
</main>
<!-- svc/frame {"name":"site-footer"} /-->
</body>
</html>
`,
  },
]
