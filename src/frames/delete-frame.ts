import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import { deleteOptions } from '../wordpress/options/write-option.ts'
import { deletePostMeta } from '../wordpress/postmeta/write-postmeta.ts'
import { findFramePages } from './frame-pages.ts'
import { readGraph } from './graph.ts'
import { bakedOption, metaOption, PAGE_META_KEY, recordOption } from './option-names.ts'
import { type FrameName, lockRegistry } from './registry.ts'

export type DeletedFrame = {
  readonly frame: FrameName
  /** Ids of the pages that stood on it. */
  readonly unboundPages: readonly number[]
  /** Slugs of the frames that go on embedding it and print nothing for it. */
  readonly referencedBy: readonly string[]
  readonly change: Change
}

/**
 * Deletes a frame: its pages stand on nothing afterwards, frames that embed it are not touched (contract, section 4.1.6).
 * @throws AppError `frame_not_found`
 */
export async function deleteFrame(
  tx: Tx,
  site: Site,
  ref: string,
  { bake }: { readonly bake: boolean },
): Promise<DeletedFrame> {
  const { registry, remove } = await lockRegistry(tx, site)
  const frame = registry.get(ref)
  const { id, slug } = frame
  const graph = await readGraph(tx, site, registry)
  const pages = await findFramePages(tx, site, id)
  await deletePostMeta(tx, site, pages, PAGE_META_KEY)
  await deleteOptions(tx, site, [recordOption(id), metaOption(id), bakedOption(id)])
  await remove(id)
  return {
    frame,
    unboundPages: pages,
    referencedBy: graph
      .embeddersOf([id])
      .filter((other) => other.id !== id)
      .map((other) => other.slug),
    change: { bake, touched: [{ kind: 'frame', id, slugs: [slug] }], pages },
  }
}
