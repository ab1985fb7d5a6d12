import { useSignal } from '@preact/signals'
import type { ServiceError } from '../../../client/src/index.ts'
import { asServiceError } from '../client.ts'
import { maySend } from '../current.ts'
import { MarkupEditor } from '../parts/editor.tsx'
import { Later } from '../parts/later.tsx'
import { ErrorNotice, Notice } from '../parts/notice.tsx'
import { Time } from '../parts/time.tsx'
import { linkTo } from '../router.ts'
import { count, size } from '../text.ts'
import { type Position, Problems, problemsOf, WouldChange } from '../views/frame/preview-report.tsx'
import { draftsOf, isKept } from './drafts.ts'
import type { EditedFrame } from './edited-frame.ts'
import { type FrameVersion, withLineFeeds } from './frame-changes.ts'
import { chosenPage, type PagesToShow } from './page-choice.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { useFrame } from './use-frame.ts'
import { usePreview } from './use-preview.ts'

type EditingProps = {
  readonly site: number
  readonly query: URLSearchParams
  readonly shown: PagesToShow
  readonly edited: EditedFrame
}

/** The editor of a frame with its preview, and what follows from it: save, conflict, undo. */
export function Editing({ site, query, shown, edited }: EditingProps) {
  const frame = useFrame(site, edited)
  const { slug, text, base, theirs, isChanged, change } = frame
  const isSaving = useSignal(false)
  const position = useSignal<Position | undefined>(undefined)
  const failure = useSignal<ServiceError | undefined>(undefined)
  const isMerging = useSignal(theirs !== undefined)
  const page = chosenPage(shown, query)
  const assign = shown.areOthers ? slug : undefined
  const stored = base?.etag ?? ''
  const preview = usePreview(
    site,
    page && { page: page.id, frames: [], stored, assign: base && assign },
    page && {
      page: page.id,
      frames: isChanged ? [{ slug, html: change.html }] : [],
      stored,
      assign: base || isChanged ? assign : undefined,
    },
  )
  const problems = preview.latest && problemsOf(preview.latest)
  const maySave = maySend('frames')

  if (theirs && isMerging.value)
    return (
      <Later
        load={async () => (await import('./conflict.tsx')).Conflict}
        props={{
          slug,
          by: (
            <>
              by <bdi>{theirs.author}</bdi>, <Time at={theirs.updated_at_gmt} />
            </>
          ),
          base: withLineFeeds(base?.html ?? ''),
          mine: text,
          theirs: withLineFeeds(theirs.html),
          onMerged: frame.takeMerged,
          onLater: () => {
            isMerging.value = false
          },
        }}
      />
    )
  return (
    <>
      {failure.value && <ErrorNotice error={failure.value} />}
      <DraftNotices {...{ site, frame }} onMerge={() => (isMerging.value = true)} />
      <div class="editing">
        <section class="panel" aria-label="Editor">
          <div class="panel-head">
            <h2>
              Markup <State {...{ isChanged, base }} />
            </h2>
            <div class="row">
              {isChanged && (
                <button type="button" class="quiet" onClick={() => frame.drop()}>
                  Drop the changes
                </button>
              )}
              <button
                type="button"
                disabled={preview.isRunning || !page}
                onClick={() => preview.run()}
              >
                {preview.isRunning ? 'Building...' : 'Preview'}
                {problems && problems.length > 0 && (
                  <span class="badge bad">{count(problems.length, 'problem')}</span>
                )}
              </button>
              {maySave && (
                <button
                  type="button"
                  class="primary"
                  disabled={!isChanged}
                  onClick={() => {
                    if (theirs) isMerging.value = true
                    else isSaving.value = true
                  }}
                >
                  Save...
                </button>
              )}
            </div>
          </div>
          {problems && problems.length > 0 && (
            <div class="found">
              <Problems
                found={problems}
                edited={slug}
                onGo={(at) => (position.value = { ...at })}
              />
            </div>
          )}
          <MarkupEditor
            label={`Markup of ${slug}`}
            value={text}
            onInput={frame.edit}
            onRun={preview.run}
            position={position.value}
            {...{ site, slug }}
          />
        </section>
        <PreviewPanel {...{ shown, query, preview }} />
        {preview.latest && (
          <section class="panel wide">
            <h2>What storing it would change</h2>
            <div class="panel-body">
              <WouldChange site={site} preview={preview.latest} />
            </div>
          </section>
        )}
      </div>
      {isSaving.value && (
        <SaveDialog
          {...{ site }}
          changes={[change]}
          preview={preview.current}
          {...(base ? {} : { backTo: `/sites/${site}` })}
          onStored={frame.saved}
          onConflict={() => {
            failure.value = undefined
            frame.readTheirs().then(
              () => {
                isMerging.value = true
              },
              (caught) => {
                failure.value = asServiceError(caught)
              },
            )
          }}
          onClose={() => {
            isSaving.value = false
          }}
        />
      )}
    </>
  )
}

function State({
  isChanged,
  base,
}: {
  readonly isChanged: boolean
  readonly base: FrameVersion | undefined
}) {
  if (!isChanged) return <span class="badge">as stored</span>
  return <span class="badge warn">{base ? 'changed, not stored' : 'new, not stored'}</span>
}

/** What a user has to know about unsaved text. */
function DraftNotices({
  site,
  frame: { user, ref, slug, theirs, isDeleted, isChanged },
  onMerge,
}: {
  readonly site: number
  readonly frame: ReturnType<typeof useFrame>
  readonly onMerge: () => void
}) {
  const drafts = draftsOf({ user, site })
  const draft = drafts.find((one) => one.ref === ref)
  const others = drafts.length - (draft ? 1 : 0)
  return (
    <>
      {theirs && (
        <Notice tone="warn" title="Somebody has changed this frame since you began">
          <p>Your text is kept. Before you can save, both changes are merged.</p>
          <div class="row">
            <button type="button" onClick={onMerge}>
              Compare and merge
            </button>
          </div>
        </Notice>
      )}
      {isDeleted && isChanged && (
        <Notice tone="warn" title={`There is no frame ${slug} any more`}>
          <p>It was deleted or renamed since you began. If you save, it is created again.</p>
        </Notice>
      )}
      {draft && !isKept(draft) && (
        <Notice tone="warn" title="A reload would lose this text">
          <p>
            The storage of this tab is full, or the text ({size(draft.html.length)}) is too large
            for it. Save it, or copy it elsewhere, before you leave this page.
          </p>
        </Notice>
      )}
      {others > 0 && (
        <p class="hint">
          <a href={linkTo(`/sites/${site}/changes`)}>
            {count(others, 'other frame')} with unsaved text
          </a>
        </p>
      )}
    </>
  )
}
