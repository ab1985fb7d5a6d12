import { useEffect } from 'preact/hooks'
import { Loading } from '../parts/loaded.tsx'
import { ErrorNotice, Notice } from '../parts/notice.tsx'
import { asWidth, PagePreview, WidthChoice } from '../parts/page-preview.tsx'
import { replaceQuery } from '../router.ts'
import { textOf } from '../text.ts'
import { chosenPage, PageChoice, type PagesToShow } from './page-choice.tsx'
import type { usePreview } from './use-preview.ts'

const SIDES = [
  ['before', 'Before'],
  ['after', 'After'],
] as const

/** Switches between the page before and after the change. It types nothing, so it works in the editor, too. */
const SWITCH_KEY = 'F2'

/** A page before and after a change, in any language and width. */
export function PreviewPanel({
  shown,
  query,
  preview: { side, show, preview, error, run },
}: {
  readonly shown: PagesToShow
  readonly query: URLSearchParams
  readonly preview: ReturnType<typeof usePreview>
}) {
  const page = chosenPage(shown, query)
  const width = asWidth(query.get('width'), 768)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== SWITCH_KEY || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      show(side === 'before' ? 'after' : 'before')
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [side])
  return (
    <section class="panel" aria-label="Preview">
      <div class="panel-head">
        <h2>Preview</h2>
        <div class="toolbar flat">
          <fieldset class="segments" aria-keyshortcuts={SWITCH_KEY}>
            <legend>Show ({SWITCH_KEY})</legend>
            {SIDES.map(([name, label]) => (
              <label key={name}>
                <input
                  type="radio"
                  name="side"
                  checked={side === name}
                  onChange={() => show(name)}
                />
                <span>{label}</span>
              </label>
            ))}
          </fieldset>
          {page && <PageChoice pages={shown.pages} chosen={page} />}
          <WidthChoice value={width} onChange={(chosen) => replaceQuery({ width: chosen })} />
        </div>
      </div>
      {error && <ErrorNotice error={error} retry={run} />}
      {page && !preview && !error && <Loading />}
      {!page && (
        <Notice>
          <p>This site has no page on which the frame could be shown.</p>
        </Notice>
      )}
      {shown.areOthers && page && (
        <p class="hint panel-body">
          No page shows this frame. The page is shown with it instead of its own frame.
        </p>
      )}
      {preview && (
        <PagePreview
          html={preview.html}
          baseUrl={preview.page.url}
          width={width}
          label={`Preview of ${textOf(preview.page.title)}`}
        />
      )}
    </section>
  )
}
