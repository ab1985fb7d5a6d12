import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ServiceError } from '../../../../client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { useSite } from '../../current.ts'
import { type Preview, WouldChange } from '../../editing/preview-report.tsx'
import { announce, ErrorNotice } from '../../parts/notice.tsx'
import { asWidth, PagePreview, WidthChoice } from '../../parts/page-preview.tsx'
import { useRead } from '../../reading.ts'
import { replaceQuery } from '../../router.ts'
import { textOf } from '../../text.ts'
import type { Draft } from './draft.ts'
import { itemsToSend } from './tree.ts'

/** Shows a page as it would be with the unsaved menu. */
export function MenuPreview({
  draft,
  menu,
  lang,
  query,
  isAsked = false,
}: {
  readonly draft: Draft
  readonly menu: number
  readonly lang: string | undefined
  readonly query: URLSearchParams
  /** It is shown without being asked for. */
  readonly isAsked?: boolean
}) {
  const { site_id: site } = useSite()
  const { reading } = useRead('listPages', { site_id: site, lang: lang ?? '', limit: 200 })
  const preview = useSignal<Preview | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const isRunning = useSignal(false)
  const width = asWidth(query.get('width'), 768)
  const pages =
    reading.state === 'ready' ? reading.answer.pages.filter(({ frame }) => frame?.slug) : []
  const page = pages.find(({ id }) => String(id) === query.get('page')) ?? pages[0]
  const run = async () => {
    if (!page) return
    error.value = undefined
    isRunning.value = true
    try {
      const { items } = itemsToSend(draft.tree.value, draft.base.tree)
      const menus = [{ menu: String(menu), items: [...items], keep: true }]
      preview.value = await api().previewPage({ site_id: site, body: { page: page.id, menus } })
      announce(`Preview of ${textOf(preview.value.page.title)} is shown.`)
    } catch (caught) {
      error.value = asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  useEffect(() => {
    if (isAsked) run()
  }, [isAsked && page?.id])
  if (reading.state === 'ready' && !page)
    return <p class="hint">No page with a frame could show this menu.</p>
  return (
    <section class="panel" aria-label="Preview">
      <div class="panel-head">
        <h2>Preview</h2>
        <div class="toolbar flat">
          <label class="field">
            Page
            <select
              value={page?.id}
              onChange={({ currentTarget }) => replaceQuery({ page: currentTarget.value })}
            >
              {pages.map(({ id, title }) => (
                <option key={id} value={id}>
                  {textOf(title) || `Page ${id}`}
                </option>
              ))}
            </select>
          </label>
          <WidthChoice value={width} onChange={(chosen) => replaceQuery({ width: chosen })} />
          <button type="button" disabled={isRunning.value || !page} onClick={run}>
            {isRunning.value ? 'Building...' : 'Preview'}
          </button>
        </div>
      </div>
      {error.value && <ErrorNotice error={error.value} />}
      {preview.value && (
        <>
          <PagePreview
            html={preview.value.html}
            baseUrl={preview.value.page.url}
            width={width}
            label={`Preview of ${textOf(preview.value.page.title)}`}
          />
          <div class="panel-body">
            <WouldChange site={site} preview={preview.value} />
          </div>
        </>
      )}
    </section>
  )
}
