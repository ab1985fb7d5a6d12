import type { ComponentChildren } from 'preact'
import { Radios } from '../parts/fields.tsx'
import { useKey } from '../parts/keys.ts'
import { Loading } from '../parts/loaded.tsx'
import { ErrorNotice, Notice } from '../parts/notice.tsx'
import { PagePreview, shownWidth, WidthChoice } from '../parts/page-preview.tsx'

import { chosenPage, PageChoice, type PagesToShow } from './page-choice.tsx'
import { otherSide, type usePreview } from './use-preview.ts'

const SIDES = [
  ['before', 'Before'],
  ['after', 'After'],
] as const

/** Switches between the page before and after the change. It types nothing, so it works in the editor, too. */
const SWITCH_KEY = 'F2'
const isSwitchKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key === SWITCH_KEY && !ctrlKey && !metaKey && !altKey

/** A page before and after a change, in any language and width. */
export function PreviewPanel({
  shown,
  preview: { side, show, preview, error, isRunning, run },
  empty,
  children,
}: {
  /** Undefined until the pages are known. */
  readonly shown: PagesToShow | undefined
  readonly preview: ReturnType<typeof usePreview>
  /** What is said as long as there is nothing to show. */
  readonly empty?: string | undefined
  /** More choices. */
  readonly children?: ComponentChildren
}) {
  const page = shown && chosenPage(shown)
  useKey(isSwitchKey, () => show(otherSide(side)))
  return (
    <section class="panel preview-panel" aria-label="Preview">
      <div class="panel-head toolbar flat">
        <Radios
          legend="Show"
          name="side"
          keys={SWITCH_KEY}
          options={SIDES}
          value={side}
          onChange={show}
        />
        <WidthChoice value={shownWidth()} />
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
      {preview && <PagePreview preview={preview} width={shownWidth()} />}
    </section>
  )
}
