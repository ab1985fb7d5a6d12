import { useSignal } from '@preact/signals'
import { useSiteRead, useTask } from '../../calls.ts'
import { api } from '../../client.ts'
import { useSite } from '../../current.ts'
import type { Preview } from '../../editing/preview-report.tsx'
import { DialogButton, type DialogEnd } from '../../parts/dialog.tsx'
import { Button, Choices, PausedField, Select } from '../../parts/fields.tsx'
import { ErrorNotice, Loaded } from '../../parts/notice.tsx'
import { PagePreview, shownWidth } from '../../parts/page-preview.tsx'
import { BatchDialog } from '../../parts/write-dialog.tsx'
import { path } from '../../router.ts'
import { bestOf, count, decodedPath, pageTitle } from '../../text.ts'
import type { Write } from '../../writes.ts'
import type { ListedPage } from './visitors.ts'

/** Requests of a batch: fewer than the API takes, because it refuses one that takes longer than 10 seconds, also on a busy machine. */
const BATCH = 50

type Pages = readonly ListedPage[]

/** `Legal`, or `9 pages`. */
const named = (pages: Pages): string =>
  pages.length === 1 && pages[0] ? pageTitle(pages[0]) : count(pages.length, 'page')

/** It does not depend on the version of the frame. The plan of the dry run covers the frame that the page has before. */
const assigning = (slug: string, body: { page: number; clear?: true }): Write => ({
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
  return (
    <BatchDialog
      {...dialog}
      title={`Assign ${slug ?? 'a frame'} to ${pages ? named(pages) : 'a page'}`}
      label="Assign"
      done={`${frame.value} is assigned to ${named(changed)}.`}
      perBatch={BATCH}
      writes={
        frame.value === ''
          ? undefined
          : changed.map(({ id }) => assigning(frame.value, { page: id }))
      }
      input={
        <>
          {pages ? (
            <FramePicker onPick={(picked) => (frame.value = picked)} />
          ) : (
            <PagePicker onPick={(page) => (chosen.value = [page])} />
          )}
          {frame.value !== '' && <Replaced pages={chosen.value} by={frame.value} />}
        </>
      }
    >
      {() => <OnePage changed={changed} slug={frame.value} />}
    </BatchDialog>
  )
}

/** Unassigns the frames of pages. */
export function UnassignDialog({ pages, ...dialog }: DialogEnd & { readonly pages: Pages }) {
  // A page whose frame does not exist is cleared through any other one.
  const { reading, answer } = useSiteRead('listFrames', { limit: 1 })
  const anyFrame = answer?.frames[0]?.slug
  const assigned = pages.filter(({ frame }) => frame !== null && (frame.slug ?? anyFrame))
  return (
    <BatchDialog
      {...dialog}
      title={`Unassign the frame of ${named(pages)}`}
      label="Unassign"
      isDangerous
      done={`The frame of ${named(assigned)} is unassigned.`}
      perBatch={BATCH}
      writes={
        reading.state === 'loading'
          ? undefined
          : assigned.map(({ id, frame }) =>
              assigning(frame?.slug ?? anyFrame ?? '', { page: id, clear: true }),
            )
      }
      input={
        <p>
          {assigned.length === 0
            ? 'No frame is assigned.'
            : `Visitors could not open ${named(assigned)} any more, unless WordPress serves ${assigned.length === 1 ? 'it' : 'them'}. What is published of that would be removed.`}
        </p>
      }
    >
      {() => null}
    </BatchDialog>
  )
}

/** Searches frames by slug, and takes one. */
function FramePicker({ onPick }: { readonly onPick: (slug: string) => void }) {
  const search = useSignal('')
  const picked = useSignal('')
  const input = { q: search.value, limit: 20, details: true } as const
  const { reading, answer, reload } = useSiteRead('listFrames', input)
  const found = answer?.frames ?? []
  const pick = (frame: (typeof found)[number] | undefined) => {
    if (!frame) return
    picked.value = frame.slug
    onPick(frame.slug)
  }
  return (
    <div class="stack">
      <PausedField
        label="Frame"
        placeholder="Part of its name; Enter takes the first"
        onSettled={(text) => (search.value = text)}
        onEnter={(typed) => pick(bestOf(found, typed, ({ slug }) => slug))}
      />
      <Loaded reading={reading} retry={reload}>
        {({ frames }) => (
          <Choices
            items={frames}
            keyOf={({ slug }) => slug}
            isChosen={({ slug }) => slug === picked.value}
            onPick={pick}
          >
            {({ slug, pages = [], details }) => (
              <>
                {slug}
                {pages.length === 0 && (details?.embedded_by ?? 0) > 0 && (
                  <span class="none">a part of other frames, not a page</span>
                )}
              </>
            )}
          </Choices>
        )}
      </Loaded>
    </div>
  )
}

/** Searches pages, and takes one. */
function PagePicker({ onPick }: { readonly onPick: (page: ListedPage) => void }) {
  const search = useSignal('')
  const picked = useSignal<number | undefined>(undefined)
  const pages = useSiteRead('listPages', { search: search.value, limit: 20 }).answer?.pages ?? []
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
        onEnter={(typed) => pick(bestOf(pages, typed, pageTitle))}
      />
      <Choices
        items={pages}
        keyOf={({ id }) => id}
        isChosen={({ id }) => id === picked.value}
        onPick={pick}
      >
        {(page) => (
          <>
            <bdi>{pageTitle(page)}</bdi>
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
  const { error, isRunning, run } = useTask()
  const show = () =>
    run(async () => {
      const body = { page: chosen.value, assign: slug }
      preview.value = await api().previewPage({ site_id, body })
    })
  return (
    <div class={isRunning || preview.value ? 'stack previewed' : 'stack'}>
      <div class="row">
        <Select
          label="Page to look at"
          isBare
          value={chosen.value}
          options={changed.slice(0, BATCH).map((page) => [page.id, pageTitle(page)])}
          onChange={(id) => (chosen.value = Number(id))}
        />
        <Button label="Preview" disabled={isRunning} onClick={show} />
      </div>
      {error && <ErrorNotice error={error} />}
      {preview.value && <PagePreview preview={preview.value} width={shownWidth()} />}
    </div>
  )
}
