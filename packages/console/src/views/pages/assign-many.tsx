import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { ServiceError } from '../../../../client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import type { Preview } from '../../editing/preview-report.tsx'
import { wrote } from '../../last-write.ts'
import { ErrorNotice, forPeople } from '../../parts/notice.tsx'
import { asWidth, PagePreview } from '../../parts/page-preview.tsx'
import { WriteDialog } from '../../parts/write-dialog.tsx'
import { useRead } from '../../reading.ts'
import { path } from '../../router.ts'
import { count, textOf } from '../../text.ts'
import { storeWrites, tryWrites, type Write, type Written } from '../../writes.ts'
import { FramePicker } from './frame-picker.tsx'
import type { ListedPage } from './visitors.ts'

/** Requests of a batch: fewer than the API takes, because it refuses one that takes longer than 10 seconds, also on a busy machine. */
const BATCH = 50

type AssignProps = {
  readonly site: number
  readonly pages: readonly ListedPage[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Assigns a frame to pages: first shows what that changes, and one of the pages with it, then asks. */
export function AssignMany({ site, pages, onClose, onDone }: AssignProps) {
  const slug = useSignal('')
  const chosen = slug.value
  const changed = pages.filter(({ frame }) => frame?.slug !== chosen)
  const writes = changed.map(
    ({ id }): Write => ({
      method: 'POST',
      path: path`/frames/${chosen}/assign`,
      body: { page: id },
    }),
  )
  return (
    <Assigning
      {...{ site, writes, onClose, onDone }}
      title={`Assign a frame to ${count(pages.length, 'page')}`}
      label="Assign"
      done={`${chosen} is assigned to ${count(changed.length, 'page')}.`}
      of={chosen}
      isReady={chosen !== ''}
      input={<FramePicker label="Frame" onPick={(name) => (slug.value = name)} />}
    >
      <Replaced pages={pages} chosen={chosen} />
      {changed[0] && <OnePage key={chosen} {...{ site, changed }} slug={chosen} />}
    </Assigning>
  )
}

/** Removes the frames of pages. */
export function ClearMany({ site, pages, onClose, onDone }: AssignProps) {
  // A page whose frame does not exist is cleared through any other one.
  const { reading } = useRead('listFrames', { site_id: site, limit: 1 })
  const anyFrame = reading.state === 'ready' ? reading.answer.frames[0]?.slug : undefined
  const writes = pages.flatMap(({ id, frame }): Write[] => {
    const slug = frame?.slug ?? anyFrame
    if (frame === null || slug === undefined) return []
    return [{ method: 'POST', path: path`/frames/${slug}/assign`, body: { page: id, clear: true } }]
  })
  return (
    <Assigning
      {...{ site, writes, onClose, onDone }}
      title={`Remove the frame from ${count(pages.length, 'page')}`}
      label="Remove"
      done={`The frame is removed from ${count(writes.length, 'page')}.`}
      of={String(writes.length)}
      isReady={reading.state !== 'loading'}
    >
      <p>
        {writes.length === 0
          ? 'None of them has a frame.'
          : `${count(writes.length, 'page')} of ${pages.length} could not be opened by visitors, unless WordPress serves them. Their static copies would be removed.`}
      </p>
    </Assigning>
  )
}

/** The numbers of a dry run. */
type Tried = { readonly batches: readonly Written[]; readonly total: number }

/** A dialog for any number of assignments, in batches of which each is stored completely or not at all. */
function Assigning({
  site,
  title,
  label,
  done,
  of,
  isReady,
  writes,
  input,
  onClose,
  onDone,
  children,
}: Omit<AssignProps, 'pages'> & {
  readonly title: string
  readonly label: string
  readonly done: string
  readonly of: string
  readonly isReady: boolean
  readonly writes: readonly Write[]
  readonly input?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const batches = Array.from({ length: Math.ceil(writes.length / BATCH) }, (_, at) =>
    writes.slice(at * BATCH, (at + 1) * BATCH),
  )
  const tryAll = async (): Promise<Tried> => {
    const tried: Written[] = []
    for (const batch of batches) tried.push(await tryWrites(site, batch))
    return { batches: tried, total: writes.length }
  }
  const storeAll = async (tried: Tried): Promise<string> => {
    const answers: Written[] = []
    const finish = (said: string, notDone: readonly string[] = []) => {
      wrote({ site, done: said, notDone, answers })
      onDone()
      return said
    }
    try {
      for (const [at, batch] of batches.entries()) {
        const found = tried.batches[at]
        if (found) answers.push(await storeWrites(site, batch, found))
      }
      return finish(done)
    } catch (caught) {
      if (answers.length === 0) throw caught
      const stored = answers.length * BATCH
      return finish(`Only ${stored} of ${count(writes.length, 'page')} are changed.`, [
        `The next batch was refused: ${forPeople(asServiceError(caught).message)}`,
      ])
    }
  }
  return (
    <WriteDialog
      {...{ title, label, of, input, onClose }}
      dryRun={isReady ? tryAll : undefined}
      changes={({ total }) => total > 0}
      write={storeAll}
    >
      {({ total }) => (
        <>
          {children}
          {total > 0 && (
            <p class="hint">
              {batches.length === 1
                ? 'All of it is stored, or nothing.'
                : `It is stored in ${batches.length} batches of at most ${BATCH} pages, each completely or not at all.`}
            </p>
          )}
        </>
      )}
    </WriteDialog>
  )
}

/** What the pages have now. */
function Replaced({
  pages,
  chosen,
}: {
  readonly pages: readonly ListedPage[]
  readonly chosen: string
}) {
  const groups = new Map<string, number>()
  for (const { frame } of pages) {
    const name = frame === null ? '' : (frame.slug ?? frame.id)
    groups.set(name, (groups.get(name) ?? 0) + 1)
  }
  return (
    <ul>
      {[...groups].map(([name, total]) => (
        <li key={name}>
          {count(total, 'page')}:{' '}
          {name === chosen
            ? 'have it already, and stay as they are'
            : name === ''
              ? 'get their first frame'
              : `have ${name} now`}
        </li>
      ))}
    </ul>
  )
}

/** One of the pages as it would be with the frame. */
function OnePage({
  site,
  changed,
  slug,
}: {
  readonly site: number
  readonly changed: readonly ListedPage[]
  readonly slug: string
}) {
  const [first] = changed
  const chosen = useSignal(first?.id ?? 0)
  const preview = useSignal<Preview | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const show = async () => {
    error.value = undefined
    try {
      preview.value = await api().previewPage({
        site_id: site,
        body: { page: chosen.value, assign: slug },
      })
    } catch (caught) {
      error.value = asServiceError(caught)
    }
  }
  return (
    <div class="stack">
      <div class="row">
        <select
          aria-label="Page to look at"
          value={chosen.value}
          onChange={({ currentTarget }) => {
            chosen.value = Number(currentTarget.value)
          }}
        >
          {changed.slice(0, BATCH).map(({ id, title }) => (
            <option key={id} value={id}>
              {textOf(title) || `Page ${id}`}
            </option>
          ))}
        </select>
        <button type="button" onClick={show}>
          Preview
        </button>
      </div>
      {error.value && <ErrorNotice error={error.value} />}
      {preview.value && (
        <PagePreview
          html={preview.value.html}
          baseUrl={preview.value.page.url}
          width={asWidth(null, 1200)}
          label={`Preview of ${textOf(preview.value.page.title)} with ${slug}`}
        />
      )}
    </div>
  )
}
