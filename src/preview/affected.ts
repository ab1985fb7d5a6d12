import { findDependents } from '../baking/dependents.ts'
import type { Db } from '../db/database.ts'
import type { SiteBuild } from '../executor/site-build.ts'
import { listPublicFramePages } from '../frames/frame-pages.ts'
import type { Site } from '../wordpress/network/site.ts'
import { isPublic, type Page } from '../wordpress/pages/posts.ts'
import { namesOf, pagesOf, type Work } from '../work/work.ts'

/** Frames and pages that are listed, each; all of them are counted. */
export const MAX_LISTED = 500

type AffectedFrame = {
  readonly id: string
  readonly slug: string
  /** See `Dependent`; `unsaved` for a frame that is written itself. */
  readonly because: readonly string[]
}

type Listed<Item> = { readonly total: number; readonly items: readonly Item[] }

/** What work would build again. Of the pages, those that visitors see: no others are built. They may stay as they are. */
export type Affected = {
  readonly frames: Listed<AffectedFrame>
  readonly pages: Listed<Page & { readonly url: string }>
}

/** Finds what work would build again, like the worker that does it. */
export async function findAffected(
  db: Db,
  site: Site,
  build: SiteBuild,
  work: readonly Work[],
): Promise<Affected> {
  const because = new Map<string, readonly string[]>()
  for (const { frame, because: reasons } of findDependents(build.graph, work))
    because.set(frame.id, reasons)
  for (const id of namesOf('frame', work)) because.set(id, ['unsaved', ...(because.get(id) ?? [])])
  const frames = [...because].flatMap(([id, reasons]) => {
    const frame = build.graph.get(id)
    return frame ? [{ id, slug: frame.slug, because: reasons }] : []
  })
  const onFrame = await listPublicFramePages(db, site)
  const written = (await build.data.pagesById(pagesOf(work))).filter(isPublic)
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
