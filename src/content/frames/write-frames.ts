import { inBatches } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { ZERO_DATE } from '../../wordpress/dates.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { listPostsByMeta } from '../../wordpress/postmeta.ts'
import type { MarkupAnalyzer } from './frame-markup.ts'
import { setPageFrames } from './frame-pages.ts'
import type { FrameGraph } from './graph.ts'
import type { LockedFrames } from './lock-frames.ts'
import { PAGE_META_KEY } from './option-names.ts'
import type { FrameRecord } from './record.ts'
import type { FrameName } from './registry.ts'

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

/** Stages the removal of frames, and takes their pages off. @returns the ids of the pages */
export async function removeFrames(
  tx: Tx,
  site: Site,
  frames: LockedFrames,
  removed: readonly FrameName[],
): Promise<number[]> {
  const byId = new Map(removed.map((frame) => [frame.id, frame]))
  const pages = await listPostsByMeta(tx, site, PAGE_META_KEY, [...byId.keys()])
  await setPageFrames(
    tx,
    site,
    pages.map(({ postId: pageId, value }) => {
      return { pageId, before: byId.get(value) ?? value, frame: undefined }
    }),
  )
  for (const id of byId.keys()) frames.stageRemoval(id)
  return pages.map(({ postId }) => postId)
}

/** Longer texts are sent in a packet of their own (`db/statement-text.ts`). */
const MAX_CHARACTERS = 60_000
/** Approximate characters of a record without its markup, of a meta, and of their names. */
const CHARACTERS_PER_FRAME = 600

/**
 * Groups frames in order, so that the records and metas of a group are written in one statement that travels together with those of the
 * other groups. A frame with a longer markup forms a group of its own.
 * @param lengthOf the length of a frame's markup, in characters
 */
function inRecordBatches<T>(frames: Iterable<T>, lengthOf: (frame: T) => number): Generator<T[]> {
  return inBatches(frames, MAX_CHARACTERS, (frame) => CHARACTERS_PER_FRAME + lengthOf(frame))
}
