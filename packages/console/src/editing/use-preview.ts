import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ServiceError } from '../../../client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { useSite } from '../current.ts'
import { announce } from '../parts/notice.tsx'
import { textOf } from '../text.ts'
import type { Preview } from './preview-report.tsx'

type PreviewedFrame = { readonly slug: string; readonly html: string }

/** What a preview shows. */
export type Previewed = {
  readonly page: number
  /** Frames with unsaved markup. */
  readonly frames: readonly PreviewedFrame[]
  /** The frame that the page is shown with instead of its own. */
  readonly assign?: string | undefined
  /** The page's own frame, which has been given an insert of a frame that no page shows. */
  readonly carrier?: string | undefined
  /** Names what is stored: it changes with each save. */
  readonly stored: string
}

type Side = 'before' | 'after'

export const otherSide = (side: Side): Side => (side === 'before' ? 'after' : 'before')

/** Pause in the typing after which the preview runs by itself. */
const PAUSE_MS = 1200

const isSame = (a: Previewed | undefined, b: Previewed): boolean =>
  a !== undefined &&
  a.page === b.page &&
  a.assign === b.assign &&
  a.carrier === b.carrier &&
  a.stored === b.stored &&
  a.frames.length === b.frames.length &&
  a.frames.every(({ slug, html }, at) => slug === b.frames[at]?.slug && html === b.frames[at]?.html)

/** A page that only carries the frame for the preview does not change, and neither does its own frame. */
function withoutCarrier(preview: Preview, { assign, carrier }: Previewed): Preview {
  const { affected_frames, affected_pages } = preview
  if (carrier !== undefined) {
    const frames = affected_frames.items.filter(({ slug }) => slug !== carrier)
    return {
      ...preview,
      frames: preview.frames.filter(({ frame }) => frame.slug !== carrier),
      problems: preview.problems.filter(({ frame }) => frame !== carrier),
      affected_frames: { total: frames.length, items: frames },
      affected_pages: { total: 0, items: [] },
    }
  }
  if (assign === undefined) return preview
  const others = affected_pages.items.filter(({ id }) => id !== preview.page.id)
  const total = affected_pages.total - (affected_pages.items.length - others.length)
  return { ...preview, affected_pages: { total, items: others } }
}

type Shown = { readonly of: Previewed; readonly preview: Preview }

/**
 * Previews of a page before and after a change, one at a time: a user has only one. The page is shown at once, a change of the markup after a
 * pause. What is shown stays until the next answer, and so does an error.
 */
export function usePreview(before: Previewed | undefined, after: Previewed | undefined) {
  const { site_id } = useSite()
  const side = useSignal<Side>('after')
  const shown = useSignal<Readonly<Partial<Record<Side, Shown>>>>({})
  const errors = useSignal<Readonly<Partial<Record<Side, ServiceError>>>>({})
  const isRunning = useSignal(false)
  const isAsked = useRef<'if needed' | 'always' | undefined>(undefined)
  const abort = useRef(new AbortController())
  const wanted = { before, after }
  const latest = useRef(wanted)
  latest.current = wanted
  useEffect(() => {
    abort.current = new AbortController()
    return () => abort.current.abort()
  }, [])

  const run = async (when: 'if needed' | 'always') => {
    // The next one waits for this one.
    isAsked.current = isAsked.current === 'always' ? 'always' : when
    if (isRunning.value) return
    isRunning.value = true
    const { signal } = abort.current
    while (isAsked.current && !signal.aborted) {
      const isNeeded = isAsked.current === 'always'
      isAsked.current = undefined
      const asked = side.value
      const current = latest.current[asked]
      if (!current || (!isNeeded && isSame(shown.value[asked]?.of, current))) continue
      try {
        const { page, frames, assign } = current
        const answer = await api().previewPage(
          {
            site_id,
            body: { page, frames: [...frames], ...(assign === undefined ? {} : { assign }) },
          },
          { signal },
        )
        const preview = withoutCarrier(answer, current)
        shown.value = { ...shown.value, [asked]: { of: current, preview } }
        errors.value = { ...errors.value, [asked]: undefined }
      } catch (caught) {
        if (!signal.aborted) errors.value = { ...errors.value, [asked]: asServiceError(caught) }
      }
    }
    isRunning.value = false
  }

  const current = wanted[side.value]
  useEffect(() => {
    run('if needed')
  }, [current?.page, current?.assign, current?.carrier, current?.stored, side.value])
  const texts = current?.frames.map(({ html }) => html).join('\n')
  useEffect(() => {
    const timer = setTimeout(() => run('if needed'), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [texts])

  const ofAfter = shown.value.after
  const preview = shown.value[side.value]?.preview
  useEffect(() => {
    if (preview)
      announce(
        `${side.value === 'before' ? 'The page before' : 'Preview'}: ${textOf(preview.page.title)} is shown.`,
      )
  }, [preview])
  return {
    side: side.value,
    show: (chosen: Side) => (side.value = chosen),
    /** What is shown now. */
    preview,
    /** The preview of exactly this change. */
    current: after && isSame(ofAfter?.of, after) ? ofAfter?.preview : undefined,
    /** The latest preview of a change, perhaps of an earlier text. */
    latest: ofAfter?.preview,
    error: errors.value[side.value],
    isRunning: isRunning.value,
    run: () => run('always'),
  }
}
