import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import { findPostsByMeta, readPostMeta } from '../wordpress/postmeta.ts'
import { PAGE_META_KEY } from './option-names.ts'

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
