import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isServiceError } from '../../../client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { me, useSite } from '../current.ts'
import { type Reading, roundOf } from '../reading.ts'
import { type Draft, discardDraft, draftOf } from './drafts.ts'
import { readStoredFrame, type StoredFrame, withLineFeeds } from './frame-changes.ts'

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
  const find = (of: string) =>
    readStoredFrame(site, of).catch((error) => {
      if (begun && isServiceError(error, 'frame_not_found')) return undefined
      throw error
    })
  // It may have another slug than in the address.
  const stored = (await find(ref)) ?? (begun?.base && (await find(begun.ref)))
  const draft = stored ? draftOf(site, stored.id, stored.slug) : begun
  if (stored && draft && draft.html === withLineFeeds(stored.html)) {
    discardDraft(site, draft.ref)
    return { stored, draft: undefined }
  }
  return { stored, draft }
}
