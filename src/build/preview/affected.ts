import { listPublicFramePages } from '../../content/frames/frame-pages.ts'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import { namesOf, pagesOf, type Work } from '../../content/work/work.ts'
import type { Tx } from '../../db/transaction.ts'
import { recordedWrites } from '../../record/history/record-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { isPublic, type Page } from '../../wordpress/pages/posts.ts'
import { SiteData } from '../baking/site-data.ts'
import { findChangedDependents, menusWrittenBy } from '../baking/written-menus.ts'
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

/** Finds what the work of a transaction would build again. @param build reads within it */
export async function findAffected(
  tx: Tx,
  site: Site,
  build: SiteBuild,
  work: readonly Work[],
): Promise<Affected> {
  const { because, pageIds } = await affectedIds(tx, site, build, work)
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

/** The number of pages that visitors see and that the work of a transaction would build again. */
export async function countAffectedPages(
  tx: Tx,
  site: Site,
  work: readonly Work[],
): Promise<number> {
  if (work.length === 0) return 0
  const graph = await readSiteGraph(tx, site)
  const { pageIds } = await affectedIds(tx, site, { graph, data: new SiteData(tx, site) }, work)
  return pageIds.size
}

/** The ids of the frames that work would build again, with the reasons, and of their pages. */
async function affectedIds(
  tx: Tx,
  site: Site,
  { graph, data }: Pick<SiteBuild, 'graph' | 'data'>,
  work: readonly Work[],
) {
  const because = new Map<string, readonly string[]>()
  const written = menusWrittenBy(recordedWrites(tx, site))
  for (const { frame, because: reasons } of await findChangedDependents(
    tx,
    site,
    graph,
    work,
    written,
  ))
    because.set(frame.id, reasons)
  for (const id of namesOf('frame', work)) because.set(id, ['unsaved', ...(because.get(id) ?? [])])
  const onFrame = await listPublicFramePages(tx, site)
  const pages = (await data.pagesById(pagesOf(work))).filter(isPublic)
  const pageIds = new Set([
    ...pages.map(({ id }) => id),
    ...[...because.keys()].flatMap((id) => onFrame.get(id) ?? []),
  ])
  return { because, pageIds }
}
