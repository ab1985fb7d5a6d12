import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Loading } from '../parts/loaded.tsx'
import { ErrorNotice, Notice } from '../parts/notice.tsx'
import { asWidth, PagePreview, WidthChoice } from '../parts/page-preview.tsx'
import { replaceQuery } from '../router.ts'
import { textOf } from '../text.ts'
import { chosenPage, PageChoice, type PagesToShow } from './page-choice.tsx'
import { otherSide, type usePreview } from './use-preview.ts'

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
  preview: { side, show, preview, error, isRunning, run },
  empty,
  children,
}: {
  /** Undefined until the pages are known. */
  readonly shown: PagesToShow | undefined
  readonly query: URLSearchParams
  readonly preview: ReturnType<typeof usePreview>
  /** What is said as long as there is nothing to show. */
  readonly empty?: string | undefined
  /** More choices. */
  readonly children?: ComponentChildren
}) {
  const page = shown && chosenPage(shown, query)
  const width = asWidth(query.get('width'), 1200)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== SWITCH_KEY || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      show(otherSide(side))
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [side])
  return (
    <section class="panel preview-panel" aria-label="Preview">
      <div class="panel-head toolbar flat">
        <fieldset class="segments" aria-keyshortcuts={SWITCH_KEY} title={SWITCH_KEY}>
          <legend class="visually-hidden">Show</legend>
          {SIDES.map(([name, label]) => (
            <label key={name}>
              <input type="radio" name="side" checked={side === name} onChange={() => show(name)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <WidthChoice value={width} onChange={(chosen) => replaceQuery({ width: chosen })} />
        {page && <PageChoice pages={shown.pages} chosen={page} />}
        {children}
        <button
          type="button"
          class="quiet"
          title="Ctrl+Enter"
          aria-busy={isRunning}
          disabled={!page}
          onClick={run}
        >
          Preview
        </button>
      </div>
      {error && <ErrorNotice error={error} retry={run} />}
      {empty !== undefined && <p class="panel-body none">{empty}</p>}
      {(!shown || (page && !preview && !error && empty === undefined)) && <Loading />}
      {shown && !page && (
        <Notice>
          <p>This site has no page on which the frame could be shown.</p>
        </Notice>
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
