import type { Db } from '../db/database.ts'
import { inBatches } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import { applyEdits } from '../markup/rewrite-references.ts'
import type { Precondition } from '../preconditions.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import { type FrameWriteOutcome, frameChange } from './create-frame.ts'
import { INLINE_ANALYZER, MAX_MARKUP_BYTES, type MarkupAnalyzer } from './frame-markup.ts'
import { getFrameForWrite } from './frame-version.ts'
import { type FrameGraph, type IndexedFrame, markupBytes } from './graph.ts'
import { type LockedFrames, lockFrames } from './lock-frames.ts'
import { recordOption } from './option-names.ts'
import { readRecords, readStoredFrame } from './read-frame.ts'
import { readSiteGraph } from './read-graph.ts'
import { decodeRecordOrEmpty } from './record.ts'
import type { FrameName } from './registry.ts'
import { findSlug, parseSlug } from './slug.ts'

/** Markup of embedders that is read at a time, in bytes. */
const EMBEDDER_BATCH_BYTES = 4 * 1024 * 1024
/** Markup that a transaction may scan itself, in bytes: some milliseconds. */
const MAX_UNPREPARED_BYTES = 64 * 1024

/** What a rename did (contract, section 4.1.5). */
export type RenameResult = {
  readonly from: string
  readonly to: string
  /** Other frames whose inserts now bear the new slug, and how many inserts of each. */
  readonly details: readonly {
    readonly id: string
    readonly slug: string
    readonly replaced: number
  }[]
}

export type RenameWrite = {
  readonly slug: unknown
  readonly userId: number
  readonly now: string
  readonly bake: boolean
  readonly precondition?: Precondition | undefined
  readonly maxSiteBytes?: number | undefined
  /** What reads the markup of embedders [this thread]. */
  readonly analyzer?: MarkupAnalyzer | undefined
}

/**
 * Reads the frames that a rename will rewrite, before its transaction: the reader remembers what it found, so that the transaction, which
 * keeps other writers waiting, need not scan markup that has not changed meanwhile.
 */
export async function prepareRename(
  db: Db,
  site: Site,
  ref: string,
  { slug, analyzer: reader }: Partial<Pick<RenameWrite, 'slug' | 'analyzer'>>,
): Promise<void> {
  const to = findSlug(slug)
  if (to === undefined || !reader) return
  const graph = await readSiteGraph(db, site)
  const frame = graph.registry.find(ref)
  if (!frame || graph.registry.find(to)) return
  const embedders = embeddersBySlug(graph, frame)
  if (
    embedders.reduce((bytes, embedder) => bytes + markupBytes(embedder), 0) <= MAX_UNPREPARED_BYTES
  )
    return
  for (const batch of inBatches(embedders, EMBEDDER_BATCH_BYTES, markupBytes)) {
    const options = batch.map(({ id }) => recordOption(id))
    const records = await readOptions(db, site, options)
    for (const { id, slug: embedder } of batch) {
      const { html } = decodeRecordOrEmpty(records.get(recordOption(id)) ?? '', id, embedder)
      await reader.rewrite(html, frame.slug, to)
    }
  }
}

/**
 * Gives a frame another slug and makes every other frame that embeds it by the old one say the new one.
 * @throws AppError `invalid_slug`, `frame_not_found`, `precondition_failed`, `slug_taken`, and what `rewriteEmbedders` throws
 */
export async function renameFrame(
  tx: Tx,
  site: Site,
  ref: string,
  write: RenameWrite,
): Promise<Omit<FrameWriteOutcome, 'report'> & { readonly renamed: RenameResult }> {
  const to = parseSlug(write.slug)
  const { now, userId, analyzer: reader = INLINE_ANALYZER } = write
  const frames = await lockFrames(tx, site)
  const held = await getFrameForWrite(tx, site, frames.graph.registry, ref, write.precondition)
  const { id, slug: from } = held
  frames.graph.registry.assertFree(to, id)
  const { record, meta } = await readStoredFrame(tx, site, held)
  const renamed =
    to === from
      ? { from, to, details: [] }
      : await rewriteEmbedders(tx, site, frames, held, to, write)
  const frame = frames.stage(
    id,
    { ...record, slug: to, updated_at_gmt: now, updated_by: userId },
    meta ?? (await reader.analyze(record.html)),
  )
  await frames.finish(write.maxSiteBytes)
  return { frame, graph: frames.graph, renamed, change: frameChange(frame, [from, to], write) }
}

/**
 * Rewrites the other frames that embed one by its slug. The frame itself is left to the caller.
 * @throws AppError `frame_too_large` with the `id` of one that would grow beyond what a frame may have
 */
export async function rewriteEmbedders(
  tx: Tx,
  site: Site,
  frames: LockedFrames,
  frame: FrameName,
  to: string,
  {
    userId,
    now,
    analyzer: reader = INLINE_ANALYZER,
  }: Pick<RenameWrite, 'userId' | 'now' | 'analyzer'>,
): Promise<RenameResult> {
  const from = frame.slug
  const embedders = embeddersBySlug(frames.graph, frame)
  const details: { id: string; slug: string; replaced: number }[] = []
  for (const batch of inBatches(embedders, EMBEDDER_BATCH_BYTES, markupBytes)) {
    const records = await readRecords(tx, site, batch)
    for (const [id, record] of records) {
      const { edits, replaced, report } = await reader.rewrite(record.html, from, to)
      if (!report) continue
      const html = applyEdits(record.html, edits)
      assertFits({ id, slug: record.slug, html }, record.html)
      frames.stage(id, { ...record, html, updated_at_gmt: now, updated_by: userId }, report)
      details.push({ id, slug: record.slug, replaced })
    }
    if (batch.at(-1) !== embedders.at(-1)) await frames.flushRecords()
  }
  return { from, to, details }
}

/** The other frames that embed one by its slug. */
function embeddersBySlug(graph: FrameGraph, { id, slug }: FrameName): IndexedFrame[] {
  return graph
    .embeddersOf([id])
    .filter((frame) => frame.id !== id && frame.meta.references.includes(slug))
}

function assertFits({ id, slug, html }: FrameName & { html: string }, before: string): void {
  const bytes = Buffer.byteLength(html)
  if (bytes <= Math.max(MAX_MARKUP_BYTES, Buffer.byteLength(before))) return
  throw new AppError(
    'frame_too_large',
    `The frame "${slug}" embeds this one and would have ${bytes} bytes with the new slug in it; a frame may have ${MAX_MARKUP_BYTES}. Choose a shorter slug, or split that frame.`,
    { max_bytes: MAX_MARKUP_BYTES, bytes, id },
  )
}
