import {
  type CheckedFrame,
  type FrameProblem,
  findFrameProblems,
  frameProblem,
  indexedFrame,
  type KnownNames,
  readKnownNames,
} from '../../content/frames/find-problems.ts'
import { listFramePages } from '../../content/frames/frame-pages.ts'
import type { FrameGraph } from '../../content/frames/graph.ts'
import type { NameInMarkup } from '../../content/markup/markup-report.ts'
import type { Db } from '../../db/database.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { DesiredSite } from '../description/desired-site.ts'
import type { MarkupCache } from './plan-context.ts'
import { VARIABLES } from './plan-dataset.ts'
import type { PlannedFrames } from './plan-frames.ts'

/**
 * What is wrong with the described frames, and with frames that embed removed ones, as the site would be after the plan. The plan writes them
 * nevertheless.
 */
export async function findPlanProblems(
  db: Db,
  site: Site,
  desired: DesiredSite,
  { registry, graph: readGraph, writes, deletions }: PlannedFrames,
  markup: MarkupCache,
): Promise<FrameProblem[]> {
  const htmls = new Map([...desired.frames, ...writes].map(({ slug, html }) => [slug, html]))
  if (htmls.size + deletions.length === 0) return []
  const written = new Map(writes.map(({ slug, current }) => [slug, current]))
  const checked: CheckedFrame[] = []
  for (const [slug, html] of htmls) {
    const id = (written.get(slug) ?? registry.find(slug))?.id ?? `new ${slug}`
    checked.push({ id, slug, report: await markup.analyze(html) })
  }
  const before = await readGraph()
  const removed = deletions.map(({ id }) => id)
  const graph = before.with(checked.map(indexedFrame), removed)
  const names = checked.flatMap(({ report }) => report.names)
  return [
    ...(await findFrameProblems(
      checked,
      graph,
      await readNamesAfterwards(db, site, desired, names),
    )),
    ...findBrokenEmbedders(graph, deletions, htmls),
    ...(await findUnused(db, site, desired, checked, graph)),
  ]
}

/** With what the plan adds. */
async function readNamesAfterwards(
  db: Db,
  site: Site,
  { menus, variables }: DesiredSite,
  names: readonly NameInMarkup[],
): Promise<KnownNames> {
  const { locations, datasets, ...known } = await readKnownNames(db, site, names)
  const assigned = menus.flatMap((menu) => menu.locations.map(({ location }) => location))
  return {
    locations: locations && new Set([...locations, ...assigned]),
    menus: known.menus && [
      ...known.menus,
      ...menus.map(({ slug, name }) => ({ id: 0, slug, name })),
    ],
    datasets: datasets && new Set([...datasets, ...(variables ? [VARIABLES] : [])]),
  }
}

/** Frames that the description leaves alone, but that embed a frame that it removes. */
function findBrokenEmbedders(
  graph: FrameGraph,
  deletions: PlannedFrames['deletions'],
  checked: ReadonlyMap<string, unknown>,
): FrameProblem[] {
  return deletions.flatMap(({ id, slug }) =>
    graph
      .embeddersOf([id, slug])
      .filter((embedder) => !checked.has(embedder.slug))
      .map((embedder) => {
        const message = `It embeds "${slug}", which this deletes; the insert prints nothing. Remove the insert, or keep the frame.`
        return frameProblem(embedder, 'reference_missing', message)
      }),
  )
}

async function findUnused(
  db: Db,
  site: Site,
  { pages }: DesiredSite,
  checked: readonly CheckedFrame[],
  graph: FrameGraph,
): Promise<FrameProblem[]> {
  // What describes no pages says nothing about where its frames are shown.
  if (pages.length === 0) return []
  const assigned = new Set(pages.map(({ frame }) => frame))
  const candidates = checked.filter(
    ({ id, slug }) =>
      !assigned.has(slug) && !graph.embeddersOf([id]).some((embedder) => embedder.id !== id),
  )
  if (candidates.length === 0) return []
  const onPages = await listFramePages(db, site)
  return candidates
    .filter(({ id }) => !onPages.has(id))
    .map((frame) => frameProblem(frame, 'frame_unused', UNUSED))
}

const UNUSED = 'It is on no page, and no frame embeds it. Assign it to a page, or remove it.'
