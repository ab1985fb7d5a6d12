import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ServiceError } from '../../packages/client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { useSite } from '../current.ts'
import { MarkupEditor } from '../parts/editor.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { announce, ErrorNotice, Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { asWidth, PagePreview, WidthChoice } from '../parts/page-preview.tsx'
import type { PageName } from '../parts/things.tsx'
import { type Reading, useRead } from '../reading.ts'
import { linkTo, path, replaceQuery, type ViewProps } from '../router.ts'
import { count, textOf } from '../text.ts'
import { type Preview, PreviewReport } from './frame/preview-report.tsx'

/** Unsaved markup by address of the frame, so that a look at another view does not lose it. A reload of the page does. */
const drafts = new Map<string, string>()

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault()
})

/** Edits the markup of a frame, and shows pages as they would be with it. Nothing is stored. */
export function View({ params: { frame: ref }, query }: ViewProps<'site' | 'frame'>) {
  const { site_id: site } = useSite()
  const address = path`/site/${site}/frames/${ref}`
  const { reading, reload } = useRead('getFrame', { site_id: site, ref })
  const pages = usePagesToShow(site, ref)
  return (
    <Page
      title={`Edit ${ref}`}
      trail={[
        { label: 'Frames', href: linkTo(`/sites/${site}`) },
        { label: ref, href: linkTo(path`/sites/${site}/frames/${ref}`) },
      ]}
      lead="Change the markup and look at any page with it. Nothing is stored: visitors see the page as before."
    >
      <Loaded reading={reading} retry={reload}>
        {({ frame }) => (
          <Loaded reading={pages}>
            {(shown) => (
              <Editing {...{ site, address, query, shown }} slug={frame.slug} stored={frame.html} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

type PagesToShow = {
  readonly pages: readonly PageName[]
  /** No page shows the frame, so these pages are shown with it instead of their own frame. */
  readonly areOthers: boolean
}

/** The pages on which the frame can be looked at: those that show it, or else any. */
function usePagesToShow(site: number, ref: string): Reading<PagesToShow> {
  const graph = useRead('getGraph', { site_id: site, frame: ref }).reading
  const own = graph.state === 'ready' ? (graph.answer.impact?.change.pages ?? []) : []
  const needsOthers = graph.state === 'ready' && own.length === 0
  const others = useRead(
    'listPages',
    needsOthers ? { site_id: site, limit: 200 } : undefined,
  ).reading
  if (graph.state !== 'ready') return graph
  if (!needsOthers) return { state: 'ready', answer: { pages: own, areOthers: false } }
  if (others.state !== 'ready') return others
  return { state: 'ready', answer: { pages: others.answer.pages, areOthers: true } }
}

type EditingProps = {
  readonly site: number
  readonly address: string
  readonly slug: string
  readonly stored: string
  readonly shown: PagesToShow
  readonly query: URLSearchParams
}

function Editing({ site, address, slug, stored, shown, query }: EditingProps) {
  const text = useSignal(drafts.get(address) ?? stored)
  const preview = useSignal<Preview | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const isRunning = useSignal(false)
  const { pages, areOthers } = shown
  const page = pages.find(({ id }) => String(id) === query.get('page')) ?? pages[0]
  const width = asWidth(query.get('width'), 768)
  const isChanged = text.value !== stored

  const edit = (markup: string) => {
    text.value = markup
    if (markup === stored) drafts.delete(address)
    else drafts.set(address, markup)
  }
  const run = async () => {
    if (!page) return
    error.value = undefined
    isRunning.value = true
    try {
      preview.value = await api().previewPage({
        site_id: site,
        body: {
          page: page.id,
          frames: text.value === stored ? [] : [{ slug, html: text.value }],
          ...(areOthers ? { assign: slug } : {}),
        },
      })
      announce(`Preview of ${textOf(preview.value.page.title)} is shown.`)
    } catch (caught) {
      error.value = asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  // Another page is shown at once; a change of the markup only when it is asked for, because a preview holds up other writers of the site.
  useEffect(() => {
    run()
  }, [page?.id])

  return (
    <div class="editing">
      <section class="panel" aria-label="Editor">
        <div class="panel-head">
          <h2>
            Markup{' '}
            {isChanged ? (
              <span class="badge warn">changed, not stored</span>
            ) : (
              <span class="badge">as stored</span>
            )}
          </h2>
          <div class="row">
            {isChanged && (
              <button type="button" class="quiet" onClick={() => edit(stored)}>
                Undo
              </button>
            )}
            <button type="button" class="primary" disabled={isRunning.value || !page} onClick={run}>
              {isRunning.value ? 'Building...' : 'Preview'}
            </button>
          </div>
        </div>
        <MarkupEditor
          label={`Markup of ${slug}`}
          value={text.value}
          onInput={edit}
          onRun={run}
          {...{ site, slug }}
        />
      </section>
      <section class="panel" aria-label="Preview">
        <div class="panel-head">
          <h2>Preview</h2>
          <div class="toolbar flat">
            {page && <PageChoice pages={pages} chosen={page} />}
            <WidthChoice value={width} onChange={(chosen) => replaceQuery({ width: chosen })} />
          </div>
        </div>
        {error.value && <ErrorNotice error={error.value} />}
        {!page && (
          <Notice>
            <p>This site has no page on which the frame could be shown.</p>
          </Notice>
        )}
        {areOthers && page && (
          <p class="hint panel-body">
            No page shows this frame. The page is shown with it instead of its own frame.
          </p>
        )}
        {preview.value && (
          <PagePreview
            html={preview.value.html}
            baseUrl={preview.value.page.url}
            width={width}
            label={`Preview of ${textOf(preview.value.page.title)}`}
          />
        )}
      </section>
      {preview.value && <PreviewReport {...{ site }} preview={preview.value} />}
    </div>
  )
}

/** Chooses the language and the page of a preview. */
function PageChoice({
  pages,
  chosen,
}: {
  readonly pages: readonly PageName[]
  readonly chosen: PageName
}) {
  const { languages } = useSite()
  const named = new Map(languages.map(({ code, name }) => [code, name]))
  const codes = [...new Set(pages.map(({ lang }) => lang ?? ''))]
  const inLanguage = pages.filter(({ lang }) => lang === chosen.lang)
  return (
    <>
      {codes.length > 1 && (
        <label class="field">
          Language
          <select
            value={chosen.lang ?? ''}
            onChange={({ currentTarget }) => {
              const first = pages.find(({ lang }) => (lang ?? '') === currentTarget.value)
              replaceQuery({ page: first?.id })
            }}
          >
            {codes.map((code) => (
              <option key={code} value={code}>
                {named.get(code) ?? (code || 'none')}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        Page
        <select
          value={chosen.id}
          onChange={({ currentTarget }) => replaceQuery({ page: currentTarget.value })}
        >
          {inLanguage.map(({ id, title }) => (
            <option key={id} value={id}>
              {textOf(title) || `Page ${id}`}
            </option>
          ))}
        </select>
      </label>
      <span class="visually-hidden">{count(inLanguage.length, 'page')} to choose from</span>
    </>
  )
}
