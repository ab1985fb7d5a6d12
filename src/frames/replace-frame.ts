import type { Tx } from '../db/transaction.ts'
import { ZERO_DATE } from '../wordpress/dates.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type FrameWrite, type FrameWriteOutcome, frameChange } from './create-frame.ts'
import { analyzeMarkup, assertReferencesAgree, parseMarkupInput } from './frame-markup.ts'
import { getFrameForWrite } from './frame-version.ts'
import { lockFrames } from './lock-frames.ts'
import { type RenameResult, rewriteEmbedders } from './rename-frame.ts'
import { parseSlug } from './slug.ts'

/**
 * Replaces a frame's markup, and its slug where another is sent, with the consequences of a rename
 * (contract, section 4.1.4). What was stored before need not be readable.
 * @throws AppError `frame_not_found`, `precondition_failed` and all that `createFrame` throws
 */
export async function replaceFrame(
  tx: Tx,
  site: Site,
  ref: string,
  write: FrameWrite,
): Promise<FrameWriteOutcome & { readonly renamed: RenameResult | undefined }> {
  const wanted = write.slug === undefined ? undefined : parseSlug(write.slug)
  const html = parseMarkupInput(write.html)
  const report = write.report ?? analyzeMarkup(html)
  const frames = await lockFrames(tx, site)
  const held = await getFrameForWrite(tx, site, frames.graph.registry, ref, write.precondition)
  const { id } = held
  const slug = wanted ?? held.slug
  frames.graph.registry.assertFree(slug, id)
  assertReferencesAgree(report.aliases, frames.graph.registry)
  // From the meta: the record has all of the old markup.
  const created_at_gmt = frames.graph.get(id)?.meta.created_at_gmt ?? ZERO_DATE
  const record = {
    slug,
    html,
    created_at_gmt: created_at_gmt === ZERO_DATE ? write.now : created_at_gmt,
    updated_at_gmt: write.now,
    updated_by: write.userId,
  }
  const renamed =
    slug === held.slug ? undefined : await rewriteEmbedders(tx, site, frames, held, slug, write)
  const frame = frames.stage(id, record, report)
  await frames.finish(write.maxSiteBytes)
  const change = frameChange(frame, [...new Set([held.slug, slug])], write)
  return { frame, report, graph: frames.graph, renamed, change }
}
