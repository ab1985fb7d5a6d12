import { useSignal } from '@preact/signals'
import { maySend, me, useSite } from '../current.ts'
import {
  type Draft,
  discardDraft,
  draftsOf,
  type FrameChange,
  isKept,
  withLineEndsOf,
} from '../editing/frame-changes.ts'
import {
  chosenPage,
  type PagesToShow,
  PreviewPanel,
  usePagesToShow,
} from '../editing/preview-panel.tsx'
import { Problems, problemsOf, WouldChange } from '../editing/preview-report.tsx'
import { SaveDialog } from '../editing/save-dialog.tsx'
import { usePreview } from '../editing/use-preview.ts'
import { Button, toggled } from '../parts/fields.tsx'
import { Empty, Table, Time } from '../parts/list.tsx'
import { Loaded, Loading, Notice } from '../parts/notice.tsx'
import { Page, Panel } from '../parts/page.tsx'
import { FrameLink } from '../parts/things.tsx'
import { inSite, linkTo, path } from '../router.ts'
import { count, size } from '../text.ts'

/** Frames with unsaved text: previewed together on any page, and stored together. */
export function View() {
  return (
    <Page
      title="Unsaved changes"
      trail={[{ label: 'Frames', href: linkTo(inSite()) }]}
      lead="Frames that you have changed in this tab. They are stored together: all of them, or none."
    >
      {me.value === undefined ? <Loading /> : <OnPages />}
    </Page>
  )
}

/** The pages that show the first of the frames, or else any that have a frame; for a new frame that is a whole page, any. */
function OnPages() {
  const drafts = draftsOf(useSite().site_id)
  const stored = drafts.find(({ base }) => base !== undefined)
  const first = useSignal(stored?.ref)
  const others = useSignal<'any' | 'framed'>(
    stored === undefined && wholePageOf(drafts) ? 'any' : 'framed',
  )
  return (
    <Loaded reading={usePagesToShow(first.value, others.value)}>
      {(shown) => <Changes shown={shown} />}
    </Loaded>
  )
}

function Changes({ shown }: { readonly shown: PagesToShow }) {
  const { site_id: site } = useSite()
  const drafts = draftsOf(site)
  /** Those that are not saved with the others, by `ref`. */
  const left = useSignal<ReadonlySet<string>>(new Set())
  const isSaving = useSignal(false)
  const conflict = useSignal<FrameChange | undefined>(undefined)
  const chosen = drafts.filter(({ ref }) => !left.value.has(ref))
  const changes = chosen.map(asChange)
  const page = chosenPage(shown)
  const stored = chosen.map(({ base }) => base?.etag ?? '').join()
  const assign = shown.areOthers ? wholePageOf(chosen)?.slug : undefined
  const preview = usePreview(
    page && { page: page.id, frames: [], stored },
    page && {
      page: page.id,
      frames: changes.map(({ slug, html }) => ({ slug, html })),
      stored,
      assign,
    },
  )
  return (
    <>
      {conflict.value && (
        <Notice tone="warn" title="Nothing is stored">
          <p role="status">
            Somebody has changed or deleted {conflict.value.slug} since you began.{' '}
            <a href={linkTo(inSite(path`/frames/${conflict.value.slug}`))}>Compare and merge</a>,
            then save all of them again.
          </p>
        </Notice>
      )}
      {drafts.length === 0 ? (
        <Empty>No frame has unsaved text.</Empty>
      ) : (
        <>
          <div class="toolbar">
            {maySend('frames') && (
              <Button
                label={`Save ${count(chosen.length, 'frame')}...`}
                class="primary"
                disabled={chosen.length === 0}
                onClick={() => {
                  conflict.value = undefined
                  isSaving.value = true
                }}
              />
            )}
          </div>
          <Table
            rows={drafts}
            keyOf={({ ref }) => ref}
            numbers={['Size']}
            columns={{
              Frame: ({ ref, slug }) => (
                <span class="thing">
                  <input
                    type="checkbox"
                    aria-label={`Save ${slug}`}
                    checked={!left.value.has(ref)}
                    onChange={() => (left.value = toggled(left.value, ref))}
                  />
                  <FrameLink slug={slug} />
                </span>
              ),
              Change: (draft) => (
                <>
                  {draft.base ? 'changed' : 'new'}{' '}
                  {!isKept(draft) && <span class="badge warn">lost by a reload</span>}
                </>
              ),
              Size: ({ html }) => size(html.length),
              Edited: ({ at }) => <Time at={gmtOf(at)} />,
              Discard: ({ ref, slug }) => (
                <Button
                  label="Discard"
                  class="link"
                  aria-label={`Discard: ${slug}`}
                  onClick={() => discardDraft(site, ref)}
                />
              ),
            }}
          />
          <div class="editing changes-preview">
            <PreviewPanel {...{ shown, preview }} />
            {preview.latest && (
              <Panel title="What storing them would change">
                <Problems found={problemsOf(preview.latest)} />
                <WouldChange preview={preview.latest} />
              </Panel>
            )}
          </div>
        </>
      )}
      {isSaving.value && (
        <SaveDialog
          changes={changes}
          preview={preview.current}
          onStored={() => {
            for (const { ref } of chosen) discardDraft(site, ref)
          }}
          onConflict={(change) => (conflict.value = change)}
          onClose={() => (isSaving.value = false)}
        />
      )}
    </>
  )
}

/** A frame that has the markup of a whole page. */
const wholePageOf = (drafts: readonly Draft[]): Draft | undefined =>
  drafts.find(({ html }) => /<html\b/i.test(html))

const asChange = ({ html, base, ...frame }: Draft): FrameChange => ({
  ...frame,
  base,
  html: withLineEndsOf(html, base),
})

/** Milliseconds as a time of the API. */
const gmtOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
