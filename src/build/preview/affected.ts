import { listPublicFramePages } from '../../content/frames/frame-pages.ts'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import { namesOf, pagesOf, type Work } from '../../content/work/work.ts'
import type { Db } from '../../db/database.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { isPublic, type Page } from '../../wordpress/pages/posts.ts'
import { findDependents } from '../baking/dependents.ts'
import { SiteData } from '../baking/site-data.ts'
import type { SiteBuild } from '../executor/site-build.ts'

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
  const { because, pageIds } = await affectedIds(db, site, build, work)
  const frames = [...because].flatMap(([id, reasons]) => {
    const frame = build.graph.get(id)
    return frame ? [{ id, slug: frame.slug, because: reasons }] : []
  })
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

/** The number of pages that visitors see and that work would build again. */
export async function countAffectedPages(
  db: Db,
  site: Site,
  work: readonly Work[],
): Promise<number> {
  if (work.length === 0) return 0
  const graph = await readSiteGraph(db, site)
  const { pageIds } = await affectedIds(db, site, { graph, data: new SiteData(db, site) }, work)
  return pageIds.size
}

/** The ids of the frames that work would build again, with the reasons, and of their pages. */
async function affectedIds(
  db: Db,
  site: Site,
  { graph, data }: Pick<SiteBuild, 'graph' | 'data'>,
  work: readonly Work[],
) {
  const because = new Map<string, readonly string[]>()
  for (const { frame, because: reasons } of findDependents(graph, work))
    because.set(frame.id, reasons)
  for (const id of namesOf('frame', work)) because.set(id, ['unsaved', ...(because.get(id) ?? [])])
  const onFrame = await listPublicFramePages(db, site)
  const written = (await data.pagesById(pagesOf(work))).filter(isPublic)
  const pageIds = new Set([
    ...written.map(({ id }) => id),
    ...[...because.keys()].flatMap((id) => onFrame.get(id) ?? []),
  ])
  return { because, pageIds }
}
