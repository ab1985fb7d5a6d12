import { ZERO_DATE } from '../wordpress/dates.ts'
import type { MarkupAnalyzer } from './frame-markup.ts'
import type { FrameGraph } from './graph.ts'
import type { LockedFrames } from './lock-frames.ts'
import type { FrameRecord } from './record.ts'
import { inRecordBatches } from './record-batches.ts'

/** A frame to write: a new one, one that exists, or one that did. */
export type FrameToWrite = {
  readonly id: string
  readonly slug: string
  readonly html: string
  /** GMT, `YYYY-MM-DD HH:MM:SS` [as before; now for a new frame]. */
  readonly created_at_gmt?: string
  /** No frame has had the id [false]. */
  readonly isNew?: boolean
}

/** `now`: GMT, `YYYY-MM-DD HH:MM:SS`. */
type FrameAuthor = { readonly userId: number; readonly now: string }

/**
 * The record of a frame that is written now.
 * @param graph the one before the write. It has the time of the creation, without the markup that the record contains
 */
export function recordOf(
  graph: FrameGraph,
  { id, slug, html, created_at_gmt = graph.get(id)?.meta.created_at_gmt }: FrameToWrite,
  { userId, now }: FrameAuthor,
): FrameRecord {
  const isKnown = created_at_gmt !== undefined && created_at_gmt !== ZERO_DATE
  const created = isKnown ? created_at_gmt : now
  return { slug, html, created_at_gmt: created, updated_at_gmt: now, updated_by: userId }
}

/** Stages frames, and writes their records in as few packets as their length requires. `flush` writes the rest. */
export async function writeFrames(
  frames: LockedFrames,
  writes: readonly FrameToWrite[],
  author: FrameAuthor & { readonly analyzer: MarkupAnalyzer },
): Promise<void> {
  for (const batch of inRecordBatches(writes, ({ html }) => html.length)) {
    for (const write of batch) {
      const report = await author.analyzer.analyze(write.html)
      frames.stage(write.id, recordOf(frames.before, write, author), report, write.isNew)
    }
    await frames.flushRecords()
  }
}
