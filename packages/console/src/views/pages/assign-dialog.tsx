import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { api, asServiceError } from '../../client.ts'
import { useSite } from '../../current.ts'
import type { Preview } from '../../editing/preview-report.tsx'
import { wrote } from '../../last-write.ts'
import { DialogButton, type DialogEnd } from '../../parts/dialog.tsx'
import { Choices, PausedField, Select } from '../../parts/fields.tsx'
import { ErrorNotice, forPeople } from '../../parts/notice.tsx'
import { asWidth, PagePreview } from '../../parts/page-preview.tsx'
import { WriteDialog } from '../../parts/write-dialog.tsx'
import { useRead } from '../../reading.ts'
import { path } from '../../router.ts'
import { useTask } from '../../task.ts'
import { bestOf, count, decodedPath, textOf } from '../../text.ts'
import { storeWrites, tryWrites, type Write, type Written } from '../../writes.ts'
import { FramePicker } from './frame-picker.tsx'
import type { ListedPage } from './visitors.ts'

/** Requests of a batch: fewer than the API takes, because it refuses one that takes longer than 10 seconds, also on a busy machine. */
const BATCH = 50

type Pages = readonly ListedPage[]

const titleOf = ({ id, title }: ListedPage): string => textOf(title) || `Page ${id}`

/** `Legal`, or `9 pages`. */
const named = (pages: Pages): string =>
  pages.length === 1 && pages[0] ? titleOf(pages[0]) : count(pages.length, 'page')

/** It does not depend on the version of the frame. The plan of the dry run covers the frame that the page has before. */
const assigning = (
  slug: string,
  body: { readonly page: number; readonly clear?: true },
): Write => ({
  method: 'POST',
  path: path`/frames/${slug}/assign`,
  body,
})

/** What can be done with pages. */
export function AssignButtons(props: Pick<DialogEnd, 'onDone'> & { readonly pages: Pages }) {
  return (
    <>
      <DialogButton label="Assign a frame">
        {(onClose) => <AssignDialog {...props} onClose={onClose} />}
      </DialogButton>
      {props.pages.some(({ frame }) => frame !== null) && (
        <DialogButton label="Unassign the frame">
          {(onClose) => <UnassignDialog {...props} onClose={onClose} />}
        </DialogButton>
      )}
    </>
  )
}

/** Assigns a frame to pages: what is not given is chosen. First shows what that changes, and one of the pages with it, then asks. */
export function AssignDialog({
  slug,
  pages,
  ...dialog
}: DialogEnd & { readonly slug?: string; readonly pages?: Pages }) {
  const frame = useSignal(slug ?? '')
  const chosen = useSignal<Pages>(pages ?? [])
  const changed = chosen.value.filter((page) => page.frame?.slug !== frame.value)
  const of = `${frame.value} ${chosen.value.map(({ id }) => id).join()}`
  return (
    <Assigning
      {...{ ...dialog, of }}
      title={`Assign ${slug ?? 'a frame'} to ${pages ? named(pages) : 'a page'}`}
      label="Assign"
      done={`${frame.value} is assigned to ${named(changed)}.`}
      isReady={frame.value !== '' && chosen.value.length > 0}
      writes={changed.map(({ id }) => assigning(frame.value, { page: id }))}
      input={
        pages ? (
          <FramePicker onPick={(picked) => (frame.value = picked)} />
        ) : (
          <PagePicker onPick={(page) => (chosen.value = [page])} />
        )
      }
    >
      <Replaced pages={chosen.value} by={frame.value} />
      {changed[0] && <OnePage key={of} changed={changed} slug={frame.value} />}
    </Assigning>
  )
}

/** Unassigns the frames of pages. */
export function UnassignDialog({ pages, ...dialog }: DialogEnd & { readonly pages: Pages }) {
  const { site_id } = useSite()
  // A page whose frame does not exist is cleared through any other one.
  const { reading } = useRead('listFrames', { site_id, limit: 1 })
  const anyFrame = reading.state === 'ready' ? reading.answer.frames[0]?.slug : undefined
  const assigned = pages.filter(({ frame }) => frame !== null && (frame.slug ?? anyFrame))
  return (
    <Assigning
      {...dialog}
      title={`Unassign the frame of ${named(pages)}`}
      label="Unassign"
      isDangerous
      done={`The frame of ${named(assigned)} is unassigned.`}
      of={String(assigned.length)}
      isReady={reading.state !== 'loading'}
      writes={assigned.map(({ id, frame }) =>
        assigning(frame?.slug ?? anyFrame ?? '', { page: id, clear: true }),
      )}
    >
      <p>
        {assigned.length === 0
          ? 'No frame is assigned.'
          : `Visitors could not open ${named(assigned)} any more, unless WordPress serves ${assigned.length === 1 ? 'it' : 'them'}. What is published of that would be removed.`}
      </p>
    </Assigning>
  )
}

/** The numbers of a dry run. */
type Tried = { readonly batches: readonly Written[]; readonly total: number }

/** A dialog for any number of assignments, in batches of which each is stored completely or not at all. */
function Assigning({
  done,
  isReady,
  writes,
  onDone,
  children,
  ...dialog
}: DialogEnd & {
  readonly title: string
  readonly label: string
  readonly isDangerous?: boolean
  readonly done: string
  readonly of: string
  readonly isReady: boolean
  readonly writes: readonly Write[]
  readonly input?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const { site_id: site } = useSite()
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
      {...dialog}
      dryRun={isReady ? tryAll : undefined}
      changes={({ total }) => total > 0}
      write={storeAll}
    >
      {() => (
        <>
          {children}
          {batches.length > 1 && (
            <p class="hint">
              It is stored in {batches.length} batches of at most {BATCH} pages, each completely or
              not at all.
            </p>
          )}
        </>
      )}
    </WriteDialog>
  )
}

/** Searches pages, and takes one. */
function PagePicker({ onPick }: { readonly onPick: (page: ListedPage) => void }) {
  const { site_id } = useSite()
  const search = useSignal('')
  const picked = useSignal<number | undefined>(undefined)
  const { reading } = useRead('listPages', { site_id, search: search.value, limit: 20 })
  const pages = reading.state === 'ready' ? reading.answer.pages : []
  const pick = (page: ListedPage | undefined) => {
    if (!page) return
    picked.value = page.id
    onPick(page)
  }
  return (
    <div class="stack">
      <PausedField
        label="Page"
        placeholder="Part of its title; Enter takes the first"
        onSettled={(text) => (search.value = text)}
        onEnter={(typed) => pick(bestOf(pages, typed, titleOf))}
      />
      <Choices
        items={pages}
        keyOf={({ id }) => id}
        isChosen={({ id }) => id === picked.value}
        onPick={pick}
      >
        {(page) => (
          <>
            <bdi>{titleOf(page)}</bdi>
            {page.lang !== null && <span class="badge">{page.lang}</span>}
            <span class="none" dir="auto">
              {decodedPath(page.path)}
            </span>
            <span class="none">{page.frame ? (page.frame.slug ?? page.frame.id) : 'no frame'}</span>
          </>
        )}
      </Choices>
    </div>
  )
}

/** What the pages have now. */
function Replaced({ pages, by }: { readonly pages: Pages; readonly by: string }) {
  const groups = Map.groupBy(pages, ({ frame }) => frame && (frame.slug ?? frame.id))
  const about = (name: string | null, isOne: boolean): string => {
    if (name === by)
      return isOne ? 'has it already, and stays as it is' : 'have it already, and stay as they are'
    if (name === null) return isOne ? 'gets its first frame' : 'get their first frame'
    return `${isOne ? 'has' : 'have'} ${name} now`
  }
  return (
    <ul>
      {[...groups].map(([name, own]) => (
        <li key={name ?? ''}>
          <bdi>{named(own)}</bdi> {about(name, own.length === 1)}
        </li>
      ))}
    </ul>
  )
}

/** One of the pages as it would be with the frame. */
function OnePage({ changed, slug }: { readonly changed: Pages; readonly slug: string }) {
  const { site_id } = useSite()
  const chosen = useSignal(changed[0]?.id ?? 0)
  const preview = useSignal<Preview | undefined>(undefined)
  const { error, run } = useTask()
  const show = () =>
    run(async () => {
      const body = { page: chosen.value, assign: slug }
      preview.value = await api().previewPage({ site_id, body })
    })
  return (
    <div class="stack">
      <div class="row">
        <Select
          label="Page to look at"
          isBare
          value={chosen.value}
          options={changed.slice(0, BATCH).map((page) => [page.id, titleOf(page)])}
          onChange={(id) => (chosen.value = Number(id))}
        />
        <button type="button" onClick={show}>
          Preview
        </button>
      </div>
      {error && <ErrorNotice error={error} />}
      {preview.value && <PagePreview preview={preview.value} width={asWidth(null, 1200)} />}
    </div>
  )
}
