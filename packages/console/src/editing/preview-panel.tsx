import type { ComponentChildren } from 'preact'
import { type Reading, useSiteRead } from '../calls.ts'
import { useSite } from '../current.ts'
import { Button, Radios, Select } from '../parts/fields.tsx'
import { useKey } from '../parts/keys.ts'
import { ErrorNotice, Loading, Notice } from '../parts/notice.tsx'
import { PagePreview, shownWidth, WidthChoice } from '../parts/page-preview.tsx'
import type { PageName } from '../parts/things.tsx'
import { parameter, replaceQuery } from '../router.ts'
import { count, pageTitle } from '../text.ts'
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
        <Button
          label="Preview"
          class="quiet"
          title="Ctrl+Enter"
          aria-busy={isRunning}
          disabled={!page}
          onClick={run}
        />
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

type PageToShow = PageName & {
  /** The slug of its own frame, where no page shows the edited one. */
  readonly own?: string | undefined
}

/** Pages on which frames can be looked at. */
export type PagesToShow = {
  readonly pages: readonly PageToShow[]
  /** No page shows the frame, so these pages are shown with it instead of their own frame. */
  readonly areOthers: boolean
}

/**
 * The pages that show a frame, or else any pages of the site.
 * @param ref undefined for a frame that is not stored yet
 * @param others which pages if none shows the frame: any, to be shown with it, or those that have a frame
 */
export function usePagesToShow(
  ref: string | undefined,
  others: 'any' | 'framed' = 'any',
): Reading<PagesToShow> {
  const order = useSite().languages.map(({ code }) => code)
  // The language of the site comes first.
  const rank = ({ lang }: PageName): number => order.indexOf(lang ?? order[0] ?? '')
  const graph = useSiteRead('getGraph', ref === undefined ? undefined : { frame: ref }).reading
  const own = graph.state === 'ready' ? (graph.answer.impact?.change.pages ?? []) : undefined
  const isMissing = graph.state === 'failed' && graph.error.code === 'frame_not_found'
  const needsOthers = ref === undefined || isMissing || own?.length === 0
  const listed = useSiteRead('listPages', needsOthers ? { limit: 200 } : undefined).reading
  if (!needsOthers) {
    if (graph.state !== 'ready') return graph
    const pages = (own ?? []).toSorted((a, b) => rank(a) - rank(b))
    return { state: 'ready', answer: { pages, areOthers: false } }
  }
  if (listed.state !== 'ready') return listed
  const pages = listed.answer.pages
    .filter(({ frame }) => others === 'any' || frame !== null)
    .map((page) => ({ ...page, own: page.frame?.slug ?? undefined }))
    // Those that have a frame can show another one within it.
    .sort((a, b) => Number(!a.own) - Number(!b.own) || rank(a) - rank(b))
  return { state: 'ready', answer: { pages, areOthers: others === 'any' } }
}

/** The page of the address, or else the first one. */
export const chosenPage = ({ pages }: PagesToShow): PageToShow | undefined =>
  pages.find(({ id }) => String(id) === parameter('page')) ?? pages[0]

type PageChoiceProps = {
  readonly pages: readonly PageName[]
  readonly chosen: PageName
}

/** Chooses the language and the page of a preview. */
function PageChoice({ pages, chosen }: PageChoiceProps) {
  const { languages } = useSite()
  const named = new Map(languages.map(({ code, name }) => [code, name]))
  const codes = [...new Set(pages.map(({ lang }) => lang ?? ''))]
  const inLanguage = pages.filter(({ lang }) => lang === chosen.lang)
  return (
    <>
      {codes.length > 1 && (
        <Select
          label="Language"
          isBare
          value={chosen.lang ?? ''}
          options={codes.map((code) => [code, named.get(code) ?? (code || 'none')])}
          onChange={(code) =>
            replaceQuery({ page: pages.find(({ lang }) => (lang ?? '') === code)?.id })
          }
        />
      )}
      <Select
        label="Page"
        isBare
        value={chosen.id}
        options={inLanguage.map((page) => [page.id, pageTitle(page)])}
        onChange={(page) => replaceQuery({ page })}
      />
      <span class="visually-hidden">{count(inLanguage.length, 'page')} to choose from</span>
    </>
  )
}
