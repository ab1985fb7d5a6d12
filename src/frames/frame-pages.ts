import type { Change } from '../change.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { Precondition } from '../preconditions.ts'
import type { Site } from '../wordpress/network/site.ts'
import {
  deletePostMeta,
  findPostsByMeta,
  readPostMeta,
  readPostMetaOf,
  setPostMeta,
} from '../wordpress/postmeta.ts'
import { getFrameForWrite } from './frame-version.ts'
import { PAGE_META_KEY } from './option-names.ts'
import { decodeRegistry, type FrameName, lockAndTouchRegistry, type Registry } from './registry.ts'

/** Ids of the pages that stand on a frame. */
export function findFramePages(db: Db, site: Site, frameId: string): Promise<number[]> {
  return findPostsByMeta(db, site, PAGE_META_KEY, frameId)
}

/** Ids of the pages on each frame that has any. */
export async function listFramePages(db: Db, site: Site): Promise<Map<string, number[]>> {
  const pages = new Map<string, number[]>()
  for (const { postId, value } of await readPostMeta(db, site, PAGE_META_KEY)) {
    const held = pages.get(value)
    if (held) held.push(postId)
    else pages.set(value, [postId])
  }
  return pages
}

export type PageBinding = {
  /** Id or slug of the frame. */
  readonly ref: string
  readonly pageId: number
  /** Takes the frame off the page; a page that stands on another one stays there. */
  readonly clear: boolean
  readonly bake: boolean
  readonly precondition?: Precondition | undefined
}

/**
 * Puts a frame on a page, or takes it off (contract, section 4.1.7). The registry is held, so that the frame can't be
 * deleted meanwhile and leave the page on nothing, and no two writers put the page on a frame each.
 * @throws AppError `frame_not_found`, `precondition_failed`
 */
export async function bindPage(
  tx: Tx,
  site: Site,
  { ref, pageId, clear, bake, precondition: expected }: PageBinding,
): Promise<{ frame: FrameName; change: Change }> {
  const registry = decodeRegistry(await lockAndTouchRegistry(tx, site))
  const frame = await getFrameForWrite(tx, site, registry, ref, expected)
  if (!clear) await setPostMeta(tx, site, pageId, PAGE_META_KEY, frame.id)
  else if (!(await isBoundToAnotherFrame(tx, site, registry, frame, pageId)))
    await deletePostMeta(tx, site, [pageId], PAGE_META_KEY)
  return { frame, change: { bake, touched: [], pages: [pageId] } }
}

/** What names a frame that is gone stands on none: it goes with whichever frame is taken off. */
async function isBoundToAnotherFrame(
  tx: Tx,
  site: Site,
  registry: Registry,
  { id }: FrameName,
  pageId: number,
): Promise<boolean> {
  const own = await readPostMetaOf(tx, site, pageId, PAGE_META_KEY)
  return own !== undefined && own !== id && registry.find(own)?.id === own
}
