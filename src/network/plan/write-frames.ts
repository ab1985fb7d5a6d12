import { newFrameId } from '../../content/frames/create-frame.ts'
import type { LockedFrames } from '../../content/frames/lock-frames.ts'
import { writeFrames } from '../../content/frames/write-frames.ts'
import type { PlanContext } from './plan-context.ts'
import type { PlannedFrames } from './plan-frames.ts'

/** The limits and the time of a write of frames. `now`: GMT, `YYYY-MM-DD HH:MM:SS`. */
type FrameWriteOptions = { readonly now: string; readonly maxSiteBytes: number | undefined }

/**
 * Writes the planned frames; what the history needs of the existing ones is read in one statement. The caller has locked the frames.
 * @returns the id of each written frame, by its slug
 * @throws AppError `site_quota_exceeded`, `frame_charset_unsupported`
 */
export async function writePlannedFrames(
  frames: LockedFrames,
  { writes, deletions }: PlannedFrames,
  { userId, markup: analyzer }: PlanContext,
  { now, maxSiteBytes }: FrameWriteOptions,
): Promise<ReadonlyMap<string, string>> {
  if (writes.length + deletions.length === 0) return new Map()
  const existing = [...writes.flatMap(({ current }) => current ?? []), ...deletions]
  frames.early.readDigests(existing.map(({ id }) => id))
  // Deletions first: a slug that becomes free may be taken by another frame.
  for (const { id } of deletions) frames.stageRemoval(id)
  const named = writes.map(({ current, slug, html }) => {
    return { id: current?.id ?? newFrameId(), slug, html, isNew: current === undefined }
  })
  await writeFrames(frames, named, { userId, now, analyzer })
  await frames.flush(maxSiteBytes)
  return new Map(named.map(({ slug, id }) => [slug, id]))
}
