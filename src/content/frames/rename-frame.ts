import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { MarkupReport } from '../markup/markup-report.ts'
import { applyEdits } from '../markup/rewrite-references.ts'
import type { FrameWriteInput, FrameWriteOutcome } from './create-frame.ts'
import { INLINE_ANALYZER, MAX_MARKUP_BYTES, type MarkupAnalyzer } from './frame-markup.ts'
import { getFrameForWrite } from './frame-version.ts'
import { type FrameGraph, type IndexedFrame, markupBytes } from './graph.ts'
import { type LockedFrames, lockFrames } from './lock-frames.ts'
import { readRecordAndMeta, readRecords } from './read-frame.ts'
import { readSiteGraph } from './read-graph.ts'
import type { FrameRecord } from './record.ts'
import type { FrameName } from './registry.ts'
import { findSlug, parseSlug } from './slug.ts'

/** Bytes of embedders' markup that are read at a time. */
const EMBEDDER_BATCH_BYTES = 4 * 1024 * 1024
/** Bytes of markup that a transaction may analyze itself; takes a few milliseconds. */
const MAX_UNPREPARED_BYTES = 64 * 1024

/** A frame of which inserts were rewritten. */
type RewrittenEmbedder = FrameName & {
  /** Number of rewritten inserts. */
  readonly replaced: number
}

/** The result of a rename. */
export type RenameResult = {
  readonly from: string
  readonly to: string
  readonly details: readonly RewrittenEmbedder[]
}

type RenameWrite = Omit<FrameWriteInput, 'html' | 'report'> & { readonly slug: string }

/**
 * Analyzes the embedders of a frame before the transaction that renames it. The analyzer caches its results, so that the transaction, which
 * blocks other writers, analyzes only markup that has changed since.
 */
export async function prepareRename(
  db: Db,
  site: Site,
  ref: string,
  { slug, analyzer }: Partial<Pick<RenameWrite, 'slug' | 'analyzer'>>,
): Promise<void> {
  const to = findSlug(slug)
  if (to === undefined || !analyzer) return
  const graph = await readSiteGraph(db, site)
  const frame = graph.registry.find(ref)
  if (!frame || graph.registry.find(to)) return
  const bytes = embeddersBySlug(graph, frame).reduce((sum, one) => sum + markupBytes(one), 0)
  if (bytes <= MAX_UNPREPARED_BYTES) return
  const rewritten = rewriteEmbedders(db, site, graph, [{ before: frame, slug: to }], analyzer)
  // The analyzer keeps the results.
  for await (const _ of rewritten);
}

/**
 * Renames a frame and rewrites the references in all frames that embed it by its old slug.
 * @throws AppError `invalid_slug`, `frame_not_found`, `precondition_failed`, `slug_taken`, and what `writeEmbedders` throws
 */
export async function renameFrame(
  tx: Tx,
  site: Site,
  ref: string,
  write: RenameWrite,
): Promise<Omit<FrameWriteOutcome, 'report'> & { readonly renamed: RenameResult }> {
  const to = parseSlug(write.slug)
  const { now, userId, analyzer = INLINE_ANALYZER } = write
  const frames = await lockFrames(tx, site)
  const name = await getFrameForWrite(tx, site, frames.graph.registry, ref, write.precondition)
  const { id, slug: from } = name
  frames.graph.registry.assertFree(to, id)
  const { record, meta } = await readRecordAndMeta(tx, site, name)
  const renamed = await renameInEmbedders(tx, site, frames, name, to, write)
  const frame = frames.stage(
    id,
    { ...record, slug: to, updated_at_gmt: now, updated_by: userId },
    meta ?? (await analyzer.analyze(record.html)),
  )
  await frames.flush(write.maxSiteBytes)
  const change = await frames.changeOf(frame, [from, to], { ...write, isNew: false })
  return { frame, graph: frames.graph, renamed, change }
}

/** A frame that gets another slug. */
export type FrameRename = {
  readonly before: FrameName
  readonly slug: string
  /** The ids of the frames that mean this one by its slug [all that have the slug]. */
  readonly embedders?: ReadonlySet<string> | undefined
}

type EmbedderWrite = Pick<RenameWrite, 'userId' | 'now' | 'analyzer'>

/**
 * Rewrites the other frames that embed a frame by its slug. The caller writes the frame itself.
 * @throws AppError as `writeEmbedders`
 */
export async function renameInEmbedders(
  tx: Tx,
  site: Site,
  frames: LockedFrames,
  before: FrameName,
  slug: string,
  write: EmbedderWrite,
): Promise<RenameResult> {
  const renames = slug === before.slug ? [] : [{ before, slug }]
  const details = await writeEmbedders(tx, site, frames, renames, write)
  return { from: before.slug, to: slug, details }
}

/**
 * Stages the frames that embed renamed ones, rewritten.
 * @param others ids of frames that the caller writes itself [none]
 * @throws AppError `frame_unreadable`; `frame_too_large` with the `id` of an embedder that would exceed the limit
 */
export async function writeEmbedders(
  tx: Tx,
  site: Site,
  frames: LockedFrames,
  renames: readonly FrameRename[],
  { userId, now, analyzer = INLINE_ANALYZER }: EmbedderWrite,
  others?: ReadonlySet<string>,
): Promise<RewrittenEmbedder[]> {
  const written: RewrittenEmbedder[] = []
  for await (const batch of rewriteEmbedders(tx, site, frames.before, renames, analyzer, others)) {
    if (written.length > 0) await frames.flushRecords()
    for (const { id, before, html, replaced, report } of batch) {
      const { slug } = before
      assertFits({ id, slug, html }, before.html)
      frames.stage(id, { ...before, html, updated_at_gmt: now, updated_by: userId }, report)
      written.push({ id, slug, replaced })
    }
  }
  return written
}

/**
 * Reads the frames that embed renamed ones by their slugs, in batches, and rewrites their markup.
 * @param others ids of frames that are left out [none]
 * @throws AppError `frame_unreadable` if the record of one is damaged
 */
export async function* rewriteEmbedders(
  db: Db,
  site: Site,
  graph: FrameGraph,
  renamed: readonly FrameRename[],
  analyzer: MarkupAnalyzer,
  others: ReadonlySet<string> = new Set(),
): AsyncGenerator<RewrittenMarkup[]> {
  const renamesOf = new Map<IndexedFrame, Map<string, string>>()
  for (const { before, slug, embedders } of renamed)
    for (const frame of embeddersBySlug(graph, before)) {
      if (others.has(frame.id) || embedders?.has(frame.id) === false) continue
      const renames = renamesOf.get(frame) ?? new Map<string, string>()
      renamesOf.set(frame, renames.set(before.slug, slug))
    }
  for (const batch of inBatches(renamesOf.keys(), EMBEDDER_BATCH_BYTES, markupBytes)) {
    const rewritten: RewrittenMarkup[] = []
    const renames = new Map(batch.map((frame) => [frame.id, renamesOf.get(frame)]))
    for (const [id, before] of await readRecords(db, site, batch)) {
      const { edits, replaced, report } = await analyzer.rewrite(
        before.html,
        renames.get(id) ?? new Map(),
      )
      if (report)
        rewritten.push({ id, before, html: applyEdits(before.html, edits), replaced, report })
    }
    yield rewritten
  }
}

type RewrittenMarkup = Pick<RewrittenEmbedder, 'id' | 'replaced'> & {
  readonly before: FrameRecord
  readonly html: string
  readonly report: MarkupReport
}

/** The other frames that embed a frame by its slug. */
export function embeddersBySlug(graph: FrameGraph, { id, slug }: FrameName): IndexedFrame[] {
  return graph
    .embeddersOf([id])
    .filter((frame) => frame.id !== id && frame.meta.references.includes(slug))
}

/**
 * Limits the markup of an embedder that a rename has made longer.
 * @throws AppError `frame_too_large` with its `id`
 */
export function assertFits(
  { id, slug, html }: FrameName & { readonly html: string },
  before: string,
): void {
  const bytes = Buffer.byteLength(html)
  if (bytes <= Math.max(MAX_MARKUP_BYTES, Buffer.byteLength(before))) return
  throw new AppError(
    'frame_too_large',
    `The frame "${slug}" embeds the renamed frame and would grow to ${bytes} bytes with the new slug; the limit is ${MAX_MARKUP_BYTES}. Split that frame, or choose a shorter slug.`,
    { max_bytes: MAX_MARKUP_BYTES, bytes, id },
  )
}
