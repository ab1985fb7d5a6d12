import type { Change } from '../change.ts'
import type { Db } from '../db/database.ts'
import { dependentsOf, writtenFrames } from '../executor/bake-work.ts'
import type { SiteBuild } from '../executor/site-build.ts'
import { listPublicFramePages } from '../frames/frame-pages.ts'
import type { Site } from '../wordpress/network/site.ts'
import { isPublic, type Page } from '../wordpress/pages/posts.ts'

/** Frames and pages that are listed, each; all of them are counted. */
export const MAX_LISTED = 500

type AffectedFrame = {
  readonly id: string
  readonly slug: string
  /** See `Dependent`; `unsaved` for a frame that is written itself. */
  readonly because: readonly string[]
}

type Listed<Item> = { readonly total: number; readonly items: readonly Item[] }

/** What would be built again after a change. Of the pages, those that visitors see: no others are built. They may stay as they are. */
export type Affected = {
  readonly frames: Listed<AffectedFrame>
  readonly pages: Listed<Page & { readonly url: string }>
}

/** Finds what a change would build again, like the worker that does its work. */
export async function findAffected(
  db: Db,
  site: Site,
  build: SiteBuild,
  change: Change,
): Promise<Affected> {
  const because = new Map<string, readonly string[]>()
  for (const { frame, because: reasons } of dependentsOf(build.graph, change))
    because.set(frame.id, reasons)
  for (const id of writtenFrames(change)) because.set(id, ['unsaved', ...(because.get(id) ?? [])])
  const frames = [...because].flatMap(([id, reasons]) => {
    const frame = build.graph.get(id)
    return frame ? [{ id, slug: frame.slug, because: reasons }] : []
  })
  const onFrame = await listPublicFramePages(db, site)
  const written = (await build.data.pagesById(change.pages)).filter(isPublic)
  const pageIds = new Set([
    ...written.map(({ id }) => id),
    ...[...because.keys()].flatMap((id) => onFrame.get(id) ?? []),
  ])
  const listed = [...pageIds].sort((a, b) => a - b).slice(0, MAX_LISTED)
  const pages = await Promise.all(
    (await build.data.pagesById(listed)).map(async (page) => ({
      ...page,
      url: await build.data.urlOf(page),
    })),
  )
  return {
    frames: {
      total: frames.length,
      items: frames.sort((a, b) => (a.slug < b.slug ? -1 : 1)).slice(0, MAX_LISTED),
    },
    pages: { total: pageIds.size, items: pages },
  }
}
