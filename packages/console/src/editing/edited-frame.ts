import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isServiceError } from '../../../client/src/index.ts'
import { type Reading, roundOf } from '../calls.ts'
import { api, asServiceError } from '../client.ts'
import { me, useSite } from '../current.ts'
import { goTo } from '../router.ts'
import { answerOf } from '../writes.ts'
import {
  type Draft,
  discardDraft,
  draftOf,
  type FrameChange,
  type FrameVersion,
  keepDraft,
  readStoredFrame,
  type StoredFrame,
  withLineEndsOf,
  withLineFeeds,
} from './frame-changes.ts'
import type { Saved } from './save-dialog.tsx'

/** A frame in the editor: what is stored, and what is unsaved. */
export type EditedFrame = {
  /** Undefined for a new frame, and for one that was deleted since the draft was begun. */
  readonly stored: StoredFrame | undefined
  readonly draft: Draft | undefined
}

/** Reads a frame and its draft. A frame that is not stored can be edited if it has a draft. */
export function useEditedFrame(ref: string) {
  const { site_id: site } = useSite()
  const reading = useSignal<Reading<EditedFrame>>({ state: 'loading' })
  const attempt = useSignal(0)
  useEffect(() => {
    let isOver = false
    reading.value = { state: 'loading' }
    readEdited(site, ref).then(
      (answer) => {
        if (!isOver) reading.value = { state: 'ready', answer }
      },
      (error) => {
        if (!isOver) reading.value = { state: 'failed', error: asServiceError(error) }
      },
    )
    return () => {
      isOver = true
    }
  }, [attempt.value, roundOf('restored')])
  // An editor that is open keeps its cursor, its focus and what it can undo: a save finds what others have stored meanwhile.
  useEffect(() => {
    if (reading.peek().state === 'failed') attempt.value += 1
  }, [roundOf('returned')])
  return {
    reading: reading.value,
    reload: () => {
      attempt.value += 1
    },
  }
}

async function readEdited(site: number, ref: string): Promise<EditedFrame> {
  // After a reload of the page the user is not known yet, and drafts belong to a user.
  me.value ??= await api().getMe()
  const begun = draftOf(site, ref)
  const find = (of: string) => (begun ? findStoredFrame(site, of) : readStoredFrame(site, of))
  // It may have another slug than in the address.
  const stored = (await find(ref)) ?? (begun?.base && (await find(begun.ref)))
  const draft = stored ? draftOf(site, stored.id, stored.slug) : begun
  if (stored && draft && draft.html === withLineFeeds(stored.html)) {
    discardDraft(site, draft.ref)
    return { stored, draft: undefined }
  }
  return { stored, draft }
}

/** The frame as it is stored; undefined if there is none. */
const findStoredFrame = (site: number, ref: string): Promise<StoredFrame | undefined> =>
  readStoredFrame(site, ref).catch((error) => {
    if (isServiceError(error, 'frame_not_found')) return undefined
    throw error
  })

/** The frame in the editor. Its text is kept as a draft as long as it differs from what is stored. */
export function useFrame({ stored, draft }: EditedFrame) {
  const { site_id: site } = useSite()
  const begun = useSignal(beginning(stored, draft))
  const text = useSignal(draft?.html ?? withLineFeeds(stored?.html ?? ''))
  const { base, theirs, ref, slug } = begun.value
  const forget = () => discardDraft(site, begun.value.ref)
  const begin = (next: Beginning) => {
    if (next.ref !== begun.value.ref) forget()
    begun.value = next
  }
  const edit = (markup: string) => {
    const { base: from } = begun.value
    text.value = markup
    if (from && markup === withLineFeeds(from.html)) forget()
    else keepDraft(site, { ...begun.value, html: markup })
  }
  const change: FrameChange = { ref, slug, base, html: withLineEndsOf(text.value, base) }
  return {
    slug,
    ref,
    base,
    theirs,
    change,
    edit,
    text: text.value,
    isChanged: !base || text.value !== withLineFeeds(base.html),
    isDeleted: begun.value.isDeleted === true,
    /** Shows what is stored again. */
    discard: () => {
      const shown = theirs ?? base
      forget()
      begin({ ref, slug, base: shown, theirs: undefined })
      text.value = withLineFeeds(shown?.html ?? '')
      if (!shown) goTo(`/sites/${site}`)
    },
    saved: (saved: Saved) => {
      const [written] = saved.changes
      const etag = saved.written.responses[0]?.headers.ETag
      if (!written || etag === undefined) return
      begin({
        ref: answerOf<'replaceFrame'>(saved.written).frame.id,
        slug,
        base: { html: written.html, etag },
        theirs: undefined,
      })
      // What was typed while it was stored is a draft of the new version.
      edit(text.value)
    },
    /** Somebody has changed or deleted the frame: reads what is stored now. */
    readTheirs: async () => {
      const now = await findStoredFrame(site, ref)
      begin(beginning(now, { ...change, html: text.value }))
      edit(text.value)
    },
    takeMerged: (merged: string) => {
      begin({ ref: theirs?.id ?? ref, slug, base: theirs, theirs: undefined })
      edit(merged)
    },
  }
}

type Beginning = {
  /** Id of the frame, or slug of a new one. */
  readonly ref: string
  readonly slug: string
  readonly base: FrameVersion | undefined
  /** What is stored now, if it is another text than the one that was changed. */
  readonly theirs: StoredFrame | undefined
  readonly isDeleted?: boolean
}

/** What the text in the editor is a change of. */
function beginning(stored: StoredFrame | undefined, draft: FrameChange | undefined): Beginning {
  if (!draft)
    return { ref: stored?.id ?? '', slug: stored?.slug ?? '', base: stored, theirs: undefined }
  const { ref, base } = draft
  // It may have been renamed since.
  const slug = stored?.slug ?? draft.slug
  // It was deleted, or is new: it is stored as a new frame.
  if (!stored)
    return { ref: slug, slug, base: undefined, theirs: undefined, isDeleted: base !== undefined }
  const isSame = base !== undefined && withLineFeeds(base.html) === withLineFeeds(stored.html)
  if (base?.etag === stored.etag || isSame) return { ref, slug, base: stored, theirs: undefined }
  return { ref, slug, base, theirs: stored }
}
