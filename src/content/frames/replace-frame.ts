import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { FrameWriteInput, FrameWriteOutcome } from './create-frame.ts'
import { analyzeMarkup, assertReferencesAgree } from './frame-markup.ts'
import { getFrameForWrite } from './frame-version.ts'
import { lockFrames } from './lock-frames.ts'
import { type RenameResult, renameInEmbedders } from './rename-frame.ts'
import { parseSlug } from './slug.ts'
import { recordOf } from './write-frames.ts'

/**
 * Replaces a frame's markup, and renames the frame if the write has another slug. The old record may be
 * unreadable.
 * @throws AppError `frame_not_found`, `precondition_failed`, and the errors of `createFrame` and `writeEmbedders`
 */
export async function replaceFrame(
  tx: Tx,
  site: Site,
  ref: string,
  write: FrameWriteInput,
): Promise<FrameWriteOutcome & { readonly renamed: RenameResult | undefined }> {
  const newSlug = write.slug === undefined ? undefined : parseSlug(write.slug)
  const { html } = write
  const report = write.report ?? analyzeMarkup(html)
  const frames = await lockFrames(tx, site, { ref, bake: write.bake })
  const name = await getFrameForWrite(tx, site, frames.graph.registry, ref, write.precondition)
  const { id } = name
  const slug = newSlug ?? name.slug
  frames.graph.registry.assertFree(slug, id)
  assertReferencesAgree(report.aliases, frames.graph.registry)
  const renamed =
    slug === name.slug ? undefined : await renameInEmbedders(tx, site, frames, name, slug, write)
  const frame = frames.stage(id, recordOf(frames.before, { id, slug, html }, write), report)
  await frames.flush(write.maxSiteBytes)
  const { graph } = frames
  const isNew = frames.before.get(id)?.meta.sha256 !== frame.meta.sha256
  const slugs = [...new Set([name.slug, slug])]
  const change = await frames.changeOf(frame, slugs, { ...write, isNew })
  return { frame, report, graph, renamed, change }
}
