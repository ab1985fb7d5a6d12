import type { Tx } from '../db/transaction.ts'
import { newFrameId } from '../frames/create-frame.ts'
import { startReadingFrames } from '../frames/frame-history.ts'
import type { LockedFrames } from '../frames/lock-frames.ts'
import { inRecordBatches } from '../frames/record-batches.ts'
import { ZERO_DATE } from '../wordpress/dates.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { PlanContext } from './plan-context.ts'
import type { FrameWrite, PlannedFrames } from './plan-frames.ts'

/** The limits and the time of a write of frames. `now`: GMT, `YYYY-MM-DD HH:MM:SS`. */
type FrameWriteOptions = { readonly now: string; readonly maxSiteBytes: number | undefined }

/**
 * Writes the planned frames: reads what the history needs of the existing ones in one statement, and writes in as few packets as their
 * length requires. The caller has locked the frames.
 * @returns the id of each written frame, by its slug
 * @throws AppError `site_quota_exceeded`, `frame_charset_unsupported`
 */
export async function writePlannedFrames(
  tx: Tx,
  site: Site,
  frames: LockedFrames,
  { writes, deletions }: PlannedFrames,
  { userId, markup }: PlanContext,
  { now, maxSiteBytes }: FrameWriteOptions,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  if (writes.length + deletions.length === 0) return ids
  const { graph } = frames
  const recordOf = ({ current, slug, html }: FrameWrite) => {
    const createdAt = current && graph.get(current.id)?.meta.created_at_gmt
    const isKnown = createdAt !== undefined && createdAt !== ZERO_DATE
    const created_at_gmt = isKnown ? createdAt : now
    return { slug, html, created_at_gmt, updated_at_gmt: now, updated_by: userId }
  }
  const existing = [...writes.flatMap(({ current }) => current ?? []), ...deletions]
  startReadingFrames(
    tx,
    site,
    existing.map(({ id }) => id),
  )
  // Deletions first: a slug that becomes free may be taken by another frame.
  for (const { id } of deletions) frames.stageRemoval(id)
  for (const batch of inRecordBatches(writes, ({ html }) => html.length)) {
    for (const write of batch) {
      const id = write.current?.id ?? newFrameId()
      const report = await markup.analyze(write.html)
      frames.stage(id, recordOf(write), report, write.current === undefined)
      ids.set(write.slug, id)
    }
    await frames.flushRecords()
  }
  await frames.flush(maxSiteBytes)
  return ids
}
