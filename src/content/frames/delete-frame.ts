import type { Tx } from '../../db/transaction.ts'
import type { Precondition } from '../../host/preconditions.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Change } from '../work/change.ts'
import { workOnEmbedders, workOnPage } from '../work/work.ts'
import { getFrameForWrite } from './frame-version.ts'
import { lockFrames } from './lock-frames.ts'
import type { FrameName } from './registry.ts'
import { removeFrames } from './write-frames.ts'

export type DeletionResult = {
  readonly frame: FrameName
  /** Ids of the pages that used it. */
  readonly unboundPages: readonly number[]
  /** Slugs of the frames that still embed it; these inserts now print nothing. */
  readonly referencedBy: readonly string[]
  readonly change: Change
}

/**
 * Deletes a frame and removes it from its pages. Frames that embed it are not changed.
 * @throws AppError `frame_not_found`, `precondition_failed`
 */
export async function deleteFrame(
  tx: Tx,
  site: Site,
  ref: string,
  {
    bake,
    precondition,
  }: { readonly bake: boolean; readonly precondition?: Precondition | undefined },
): Promise<DeletionResult> {
  const frames = await lockFrames(tx, site)
  const frame = await getFrameForWrite(tx, site, frames.graph.registry, ref, precondition)
  const { id, slug } = frame
  const referencedBy = frames.graph
    .embeddersOf([id])
    .filter((other) => other.id !== id)
    .map((other) => other.slug)
  const pages = await removeFrames(tx, site, frames, [frame])
  await frames.flush()
  return {
    frame,
    unboundPages: pages,
    referencedBy,
    change: {
      bake,
      work: [...workOnEmbedders(id, [slug]), ...pages.map((page) => workOnPage(page, true))],
    },
  }
}
