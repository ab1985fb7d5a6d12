import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { groupBy } from '../../host/group-by.ts'
import type { Precondition } from '../../host/preconditions.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { certifyOption } from '../../wordpress/options/write-options.ts'
import { listPublicPageIds } from '../../wordpress/pages/pages.ts'
import { readPostColumns } from '../../wordpress/pages/posts.ts'
import {
  deletePostMeta,
  readPostMeta,
  readPostMetaOf,
  readPostsMeta,
  setPostsMeta,
} from '../../wordpress/postmeta.ts'
import type { Change } from '../work/change.ts'
import { workOnPage } from '../work/work.ts'
import { type PageFrame, recordAssignments } from './frame-history.ts'
import { getFrameForWrite } from './frame-version.ts'
import { PAGE_META_KEY, REGISTRY_OPTION } from './option-names.ts'
import { decodeRegistry, type FrameName, lockRegistry, type Registry } from './registry.ts'

/**
 * Ids of the pages of each frame, by frame id.
 * @param frames at least of these frames [all]; not empty
 */
export async function listFramePages(
  db: Db,
  site: Site,
  frames?: readonly string[],
): Promise<Map<string, number[]>> {
  const metas = await readPostMeta(db, site, PAGE_META_KEY, frames)
  const pages = groupBy(metas, ({ value }) => value)
  return new Map([...pages].map(([frame, own]) => [frame, own.map(({ postId }) => postId)]))
}

/** Like `listFramePages`, without pages that visitors do not see (`isPublic`), and those that do not exist any more: nobody builds them. */
export async function listPublicFramePages(db: Db, site: Site): Promise<Map<string, number[]>> {
  const [pages, shown] = await Promise.all([listFramePages(db, site), listPublicPageIds(db, site)])
  return new Map([...pages].map(([frame, ids]) => [frame, ids.filter((id) => shown.has(id))]))
}

/** Bindings of pages that `isFrameBound` compares: a write must not read more of them under its lock. */
const MAX_COMPARED_BINDINGS = 5000

/**
 * Whether a page is bound to a frame. The caller has locked the registry, so that none is bound meanwhile.
 * @returns true, too, if the site has so many pages that they are not compared
 */
export async function isFrameBound(tx: Tx, site: Site, id: string): Promise<boolean> {
  const [row] = await readRows<{ seen: number; bound: number | null }>(
    tx,
    `SELECT COUNT(*) AS seen, SUM(meta_value = :id) AS bound FROM (
        SELECT meta_value FROM :postmeta: WHERE meta_key = :key LIMIT ${MAX_COMPARED_BINDINGS + 1}
      ) bindings`,
    { postmeta: site.tables.postmeta, key: PAGE_META_KEY, id },
  )
  return Number(row?.bound ?? 0) > 0 || Number(row?.seen ?? 0) > MAX_COMPARED_BINDINGS
}

export type PageBinding = {
  /** Id or slug of the frame. */
  readonly ref: string
  readonly pageId: number
  /** Removes the frame from the page instead; a page that uses another frame keeps it. */
  readonly clear: boolean
  readonly bake: boolean
  readonly precondition?: Precondition | undefined
}

/**
 * Assigns a frame to a page, or removes it from the page. Locks the registry, so that the frame cannot be deleted
 * meanwhile and two writers cannot assign different frames to the page.
 * @throws AppError `frame_not_found`, `precondition_failed`
 */
export async function bindPage(
  tx: Tx,
  site: Site,
  { ref, pageId, clear, bake, precondition }: PageBinding,
): Promise<{ frame: FrameName; change: Change; warnings: string[] }> {
  const registry = decodeRegistry(await lockRegistry(tx, site))
  // Galera detects conflicts between nodes by the rows they wrote, not by their locks.
  certifyOption(tx, site, REGISTRY_OPTION)
  const frame = await getFrameForWrite(tx, site, registry, ref, precondition)
  const own = clear ? await readPostMetaOf(tx, site, pageId, PAGE_META_KEY) : undefined
  const unbound = clear && !isOfAnotherFrame(own, registry, frame)
  if (!clear) {
    const stored = await setPostsMeta(tx, site, PAGE_META_KEY, new Map([[pageId, frame.id]]))
    recordAssignments(tx, site, [{ pageId, before: stored.get(pageId) ?? undefined, frame }])
  } else if (unbound) {
    const before = own === frame.id ? frame : own
    await setPageFrames(tx, site, [{ pageId, before, frame: undefined }])
  }
  const warnings =
    clear && (own === undefined || !unbound)
      ? ['not_on_page: the page has another frame, or none.']
      : []
  return { frame, change: { bake, work: [workOnPage(pageId, unbound)] }, warnings }
}

/** Removes the frame from those of these pages that no longer exist: their ids are never reused. */
export async function clearMissingPages(
  tx: Tx,
  site: Site,
  pageIds: readonly number[],
): Promise<void> {
  await lockRegistry(tx, site)
  const frames = await readPostsMeta(tx, site, pageIds, PAGE_META_KEY)
  const existing = await readPostColumns(tx, site, pageIds, 'post_type')
  const missing = pageIds.filter((id) => !existing.has(id))
  const cleared = missing.map((pageId) => {
    return { pageId, before: frames.get(pageId), frame: undefined }
  })
  await setPageFrames(tx, site, cleared)
}

/** Assigns pages to frames and takes them off, in bulk. The caller has locked the registry. */
export async function setPageFrames(
  tx: Tx,
  site: Site,
  pages: readonly PageFrame[],
): Promise<void> {
  if (pages.length === 0) return
  recordAssignments(tx, site, pages)
  const ids = pages.map(({ pageId }) => pageId)
  const wanted = pages.flatMap(({ pageId, frame }) => (frame ? [[pageId, frame.id] as const] : []))
  const values = new Map(wanted)
  const cleared = ids.filter((id) => !values.has(id))
  await deletePostMeta(tx, site, cleared, PAGE_META_KEY)
  await setPostsMeta(tx, site, PAGE_META_KEY, values)
}

/** Whether a page's frame is another one that exists. A reference to a deleted frame is removed together with any frame. */
function isOfAnotherFrame(own: string | undefined, registry: Registry, { id }: FrameName): boolean {
  return own !== undefined && own !== id && registry.find(own)?.id === own
}
