import { inBatches } from '../db/in-batches.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Expectation } from '../expectation.ts'
import { rewriteReferences } from '../markup/rewrite-references.ts'
import type { Site } from '../wordpress/network/site.ts'
import { changeOf, type Written } from './create-frame.ts'
import { getExpected } from './expected-frame.ts'
import { bytesOf } from './graph.ts'
import { type LockedFrames, lockFrames } from './lock-frames.ts'
import { MAX_MARKUP_BYTES } from './markup-input.ts'
import { readFrame, readFrames } from './read-frame.ts'
import type { FrameName } from './registry.ts'
import { readMarkup } from './report.ts'
import { parseSlug } from './slug.ts'

/** Markup of embedders that is read at a time, in bytes. */
const READ_AT_ONCE = 32 * 1024 * 1024

/** What a rename did (contract, section 4.1.5). */
export type Rename = {
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
  readonly expected?: Expectation | undefined
  readonly maxSiteBytes?: number | undefined
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
): Promise<Written & { readonly renamed: Rename }> {
  const to = parseSlug(write.slug)
  const frames = await lockFrames(tx, site)
  const held = await getExpected(tx, site, frames.graph.registry, ref, write.expected)
  const { id, slug: from } = held
  frames.graph.registry.assertFree(to, id)
  const { record } = await readFrame(tx, site, held)
  const renamed =
    to === from
      ? { from, to, details: [] }
      : await rewriteEmbedders(tx, site, frames, held, to, write)
  const report = readMarkup(record.html)
  const { now, userId } = write
  const frame = frames.save(
    id,
    { ...record, slug: to, updated_at_gmt: now, updated_by: userId },
    report,
  )
  await frames.finish(write.maxSiteBytes)
  return { frame, report, graph: frames.graph, renamed, change: changeOf(frame, [from, to], write) }
}

/**
 * Rewrites the other frames that embed one by its slug. The frame itself is left to the caller.
 * @throws AppError `frame_too_large` with the `id` of one that would grow beyond what a frame may have
 */
export async function rewriteEmbedders(
  tx: Tx,
  site: Site,
  frames: LockedFrames,
  { id, slug: from }: FrameName,
  to: string,
  { userId, now }: Pick<RenameWrite, 'userId' | 'now'>,
): Promise<Rename> {
  const embedders = frames.graph
    .embeddersOf([id])
    .filter((frame) => frame.id !== id && frame.meta.references.includes(from))
  const details: { id: string; slug: string; replaced: number }[] = []
  for (const batch of inBatches(embedders, READ_AT_ONCE, bytesOf)) {
    for (const { id: embedder, record } of await readFrames(tx, site, batch)) {
      const { html, replaced } = rewriteReferences(record.html, from, to)
      if (replaced === 0) continue
      assertFits({ id: embedder, slug: record.slug, html }, record.html)
      const rewritten = { ...record, html, updated_at_gmt: now, updated_by: userId }
      frames.save(embedder, rewritten, readMarkup(html))
      details.push({ id: embedder, slug: record.slug, replaced })
    }
  }
  return { from, to, details }
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
