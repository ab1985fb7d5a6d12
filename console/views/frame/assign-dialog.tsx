import { useSignal } from '@preact/signals'
import type { Output, ServiceError } from '../../../packages/client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { announce, ErrorNotice } from '../../parts/notice.tsx'
import { useRead } from '../../reading.ts'
import { path } from '../../router.ts'
import { decodedPath, textOf } from '../../text.ts'

type Checked = {
  readonly page: Output<'assignFrame'>['page']
  /** The frame that the page has now. */
  readonly former: string | undefined
}

/** Assigns a frame to a page: first shows which page that is and what it has now, then asks. */
export function AssignDialog({
  site,
  slug,
  onClose,
  onDone,
}: {
  readonly site: number
  readonly slug: string
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const search = useSignal('')
  const checked = useSignal<Checked | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const { reading } = useRead('listPages', { site_id: site, search: search.value, limit: 20 })
  const found = reading.state === 'ready' ? reading.answer.pages : []

  const check = async (id: number) => {
    checked.value = undefined
    error.value = undefined
    try {
      const { responses } = await api().runBatch({
        site_id: site,
        body: {
          dry_run: true,
          requests: [{ method: 'POST', path: path`/frames/${slug}/assign`, body: { page: id } }],
        },
      })
      const [response] = responses
      if (!response) return
      const { page } = response.body as Pick<Output<'assignFrame'>, 'page'>
      const former = found.find((one) => one.id === id)?.frame?.slug ?? undefined
      checked.value = { page, former }
      announce(`${textOf(page.title)} is chosen.`)
    } catch (caught) {
      error.value = asServiceError(caught)
    }
  }
  const assign = async ({ page }: Checked) => {
    await api().assignFrame({ site_id: site, ref: slug, body: { page: page.id } })
    onClose()
    announce(`Assigned to ${textOf(page.title)}.`)
    onDone()
  }

  const chosen = checked.value
  return (
    <Dialog title={`Assign ${slug} to a page`} onClose={onClose}>
      <div class="field">
        <label for="page-search">Page</label>
        <input
          id="page-search"
          type="search"
          autocomplete="off"
          placeholder="Title, slug or id"
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value.trim()
          }}
        />
      </div>
      <ul class="choices">
        {found.map(({ id, title, lang, path: pagePath, frame }) => (
          <li key={id}>
            <button
              type="button"
              class="quiet"
              aria-pressed={chosen?.page.id === id}
              onClick={() => check(id)}
            >
              <bdi>{textOf(title) || `Page ${id}`}</bdi>
              {lang !== null && <span class="badge">{lang}</span>}
              <span class="none" dir="auto">
                {decodedPath(pagePath)}
              </span>
              <span class="none">{frame === null ? 'no frame' : (frame.slug ?? frame.id)}</span>
            </button>
          </li>
        ))}
      </ul>
      {error.value && <ErrorNotice error={error.value} />}
      {chosen && (
        <p>
          <strong dir="auto">{textOf(chosen.page.title)}</strong>{' '}
          {chosen.former === undefined
            ? 'has no frame. It will be built from'
            : `is built from ${chosen.former}. It will be built from`}{' '}
          <strong>{slug}</strong> and published again: <bdi>{decodedPath(chosen.page.url)}</bdi>
        </p>
      )}
      <Confirm label="Assign" onConfirm={chosen && (() => assign(chosen))} onClose={onClose} />
    </Dialog>
  )
}
