import { useSignal } from '@preact/signals'
import { isServiceError } from '../../packages/client/src/index.ts'
import { maySend } from '../current.ts'
import { MarkupEditor } from '../parts/editor.tsx'
import { Later } from '../parts/later.tsx'
import { Notice } from '../parts/notice.tsx'
import { goTo, linkTo } from '../router.ts'
import { count, size, time } from '../text.ts'
import { Problems, problemsOf, WouldChange } from '../views/frame/preview-report.tsx'
import { answerOf } from '../writes.ts'
import { AfterSave } from './after-save.tsx'
import { type Draft, draftsOf, dropDraft, isKept, keepDraft } from './drafts.ts'
import type { EditedFrame } from './edited-frame.ts'
import {
  type FrameChange,
  type FrameVersion,
  readStoredFrame,
  type StoredFrame,
  withLineEndsOf,
  withLineFeeds,
} from './frame-changes.ts'
import { chosenPage, type PagesToShow } from './page-choice.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { SaveDialog, type Saved } from './save-dialog.tsx'
import { usePreview } from './use-preview.ts'

type EditingProps = {
  readonly site: number
  readonly query: URLSearchParams
  readonly shown: PagesToShow
  readonly edited: EditedFrame
  /** Reads the frame again. */
  readonly reload: () => void
}

/** The editor of a frame with its preview, and what follows from it: save, conflict, undo. */
export function Editing({ site, query, shown, edited, reload }: EditingProps) {
  const frame = useFrame(site, edited)
  const { slug, text, base, theirs, isChanged, change } = frame
  const saved = useSignal<Saved | undefined>(undefined)
  const isSaving = useSignal(false)
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
          by: `by user ${theirs.updated_by} at ${time(theirs.updated_at_gmt)}`,
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
      {saved.value && (
        <AfterSave
          {...{ site }}
          saved={saved.value}
          onClose={() => {
            saved.value = undefined
          }}
          onUndone={() => {
            saved.value = undefined
            if (edited.stored) reload()
            else goTo(`/sites/${site}`)
          }}
        />
      )}
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
              <Problems found={problems} />
            </div>
          )}
          <MarkupEditor
            label={`Markup of ${slug}`}
            value={text}
            onInput={frame.edit}
            onRun={preview.run}
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
          onStored={(stored) => {
            saved.value = stored
            frame.saved(stored)
          }}
          onConflict={async () => {
            await frame.readTheirs()
            isMerging.value = true
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

/** The frame in the editor. Its text is kept as a draft as long as it differs from what is stored. */
function useFrame(site: number, { user, stored, draft }: EditedFrame) {
  const begun = useSignal(beginning(stored, draft))
  const text = useSignal(draft?.html ?? withLineFeeds(stored?.html ?? ''))
  const { base, theirs, ref } = begun.value
  const slug = stored?.slug ?? draft?.slug ?? ref
  const forget = () => dropDraft({ user, site }, begun.value.ref)
  const begin = (next: Beginning) => {
    if (next.ref !== begun.value.ref) forget()
    begun.value = next
  }
  const edit = (markup: string) => {
    const { base: from, ref: of } = begun.value
    text.value = markup
    if (from && markup === withLineFeeds(from.html)) forget()
    else keepDraft({ user, site, ref: of, slug, html: markup, base: from, at: Date.now() })
  }
  const change: FrameChange = {
    ref,
    slug,
    base,
    html: base ? withLineEndsOf(text.value, base) : text.value,
  }
  return {
    slug,
    ref,
    user,
    base,
    theirs,
    change,
    edit,
    text: text.value,
    isChanged: !base || text.value !== withLineFeeds(base.html),
    isDeleted: begun.value.isDeleted === true,
    /** Shows what is stored again. */
    drop: () => {
      const shown = theirs ?? base
      forget()
      begin({ ref, base: shown, theirs: undefined })
      text.value = withLineFeeds(shown?.html ?? '')
      if (!shown) goTo(`/sites/${site}`)
    },
    saved: (saved: Saved) => {
      const [written] = saved.changes
      const etag = saved.written.responses[0]?.headers.ETag
      if (!written || etag === undefined) return
      begin({
        ref: answerOf<'replaceFrame'>(saved.written).frame.id,
        base: { html: written.html, etag },
        theirs: undefined,
      })
      // What was typed while it was stored is a draft of the new version.
      edit(text.value)
    },
    /** Somebody has changed or deleted the frame: reads what is stored now. */
    readTheirs: async () => {
      const now = await readStoredFrame(site, ref).catch((error) => {
        if (isServiceError(error, 'frame_not_found')) return undefined
        throw error
      })
      begin(beginning(now, { ...change, html: text.value }))
      edit(text.value)
    },
    takeMerged: (merged: string) => {
      begin({ ref: theirs?.id ?? ref, base: theirs, theirs: undefined })
      edit(merged)
    },
  }
}

type Beginning = {
  /** Id of the frame, or slug of a new one. */
  readonly ref: string
  readonly base: FrameVersion | undefined
  /** What is stored now, if it is another text than the one that was changed. */
  readonly theirs: StoredFrame | undefined
  readonly isDeleted?: boolean
}

/** What the text in the editor is a change of. */
function beginning(
  stored: StoredFrame | undefined,
  draft: FrameChange | Draft | undefined,
): Beginning {
  if (!draft) return { ref: stored?.id ?? '', base: stored, theirs: undefined }
  const { ref, slug, base } = draft
  // It was deleted, or is new: it is stored as a new frame.
  if (!stored)
    return { ref: slug, base: undefined, theirs: undefined, isDeleted: base !== undefined }
  const isSame = base !== undefined && withLineFeeds(base.html) === withLineFeeds(stored.html)
  if (base?.etag === stored.etag || isSame) return { ref, base: stored, theirs: undefined }
  return { ref, base, theirs: stored }
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
