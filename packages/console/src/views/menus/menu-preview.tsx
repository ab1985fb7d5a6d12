import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useSiteRead, useTask } from '../../calls.ts'
import { api } from '../../client.ts'
import { useSite } from '../../current.ts'
import { type Preview, WouldChange } from '../../editing/preview-report.tsx'
import { Button, Select } from '../../parts/fields.tsx'
import { announce, ErrorNotice } from '../../parts/notice.tsx'
import { PagePreview, shownWidth, WidthChoice } from '../../parts/page-preview.tsx'
import { parameter, replaceQuery } from '../../router.ts'
import { pageTitle, textOf } from '../../text.ts'
import { useEditedMenu } from './edited-menu.ts'
import { itemsToSend } from './tree.ts'

/** Shows a page as it would be with the unsaved menu. @param isAsked shows it at once [when the button is pressed] */
export function MenuPreview({ isAsked = false }: { readonly isAsked?: boolean }) {
  const { draft, menu, lang } = useEditedMenu()
  const { site_id: site } = useSite()
  const { answer } = useSiteRead('listPages', { lang: lang ?? '', limit: 200 })
  const preview = useSignal<Preview | undefined>(undefined)
  const { error, isRunning, run } = useTask()
  const width = shownWidth(768)
  const pages = answer?.pages.filter(({ frame }) => frame?.slug) ?? []
  const page = pages.find(({ id }) => String(id) === parameter('page')) ?? pages[0]
  const chosen = useRef(page?.id)
  chosen.current = page?.id
  const show = () =>
    run(async () => {
      if (!page) return
      const { items } = itemsToSend(draft.tree.value, draft.base.tree)
      const menus = [{ menu: String(menu.id), items: [...items], keep: true }]
      const built = await api().previewPage({ site_id: site, body: { page: page.id, menus } })
      // Another page has been chosen meanwhile, and is built, too.
      if (isAsked && chosen.current !== page.id) return
      preview.value = built
      announce(`Preview of ${textOf(built.page.title)} is shown.`)
    })
  useEffect(() => {
    if (isAsked) show()
  }, [isAsked && page?.id])
  if (answer && !page) return <p class="hint">No page with a frame could show this menu.</p>
  return (
    <section class="panel previewed" aria-label="Preview">
      <div class="panel-head">
        <h2>Preview</h2>
        <div class="toolbar flat">
          <Select
            label="Page"
            value={page?.id}
            options={pages.map((one) => [one.id, pageTitle(one)])}
            onChange={(chosen) => replaceQuery({ page: chosen })}
          />
          <WidthChoice value={width} />
          <Button
            label={isRunning ? 'Building...' : 'Preview'}
            disabled={isRunning || !page}
            onClick={show}
          />
        </div>
      </div>
      {error && <ErrorNotice error={error} />}
      {preview.value && (
        <>
          <PagePreview preview={preview.value} width={width} />
          <div class="panel-body">
            <WouldChange preview={preview.value} />
          </div>
        </>
      )}
    </section>
  )
}
