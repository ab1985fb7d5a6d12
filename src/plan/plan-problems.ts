import type { Db } from '../db/database.ts'
import type { DesiredSite } from '../description/desired-site.ts'
import {
  type CheckedFrame,
  type FrameProblem,
  findFrameProblems,
  indexedFrame,
  type KnownNames,
} from '../frames/find-problems.ts'
import { listFramePages } from '../frames/frame-pages.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { DATASET_PREFIX } from '../frames/option-names.ts'
import { readSiteGraph } from '../frames/read-graph.ts'
import type { NameInMarkup } from '../markup/markup-report.ts'
import { parsePath } from '../markup/value-path.ts'
import { readLocationMaps } from '../wordpress/nav-menus/location-maps.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptionNames } from '../wordpress/options/read-options.ts'
import type { MarkupCache } from './markup-cache.ts'
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
  { registry, writes, deletions }: PlannedFrames,
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
  const before = await readSiteGraph(db, site)
  const removed = deletions.map(({ id }) => id)
  const graph = before.with(checked.map(indexedFrame), removed)
  const names = checked.flatMap(({ report }) => report.names)
  return [
    ...findFrameProblems(checked, graph, await readKnownNames(db, site, desired, names)),
    ...findBrokenEmbedders(graph, deletions, htmls),
    ...(await findUnused(db, site, desired, checked, graph)),
  ]
}

/** Reads only what the markup names. */
async function readKnownNames(
  db: Db,
  site: Site,
  { menus, variables }: DesiredSite,
  names: readonly NameInMarkup[],
): Promise<KnownNames> {
  const isNamed = (kind: NameInMarkup['kind'], root?: string): boolean =>
    names.some((one) => one.kind === kind && (!root || parsePath(one.name)?.root === root))
  const locations = isNamed('location')
    ? new Set([
        ...menus.flatMap((menu) => menu.locations.map(({ location }) => location)),
        ...(await readAssignedLocations(db, site)),
      ])
    : undefined
  const datasets = isNamed('value', 'dataset')
    ? new Set([
        ...(variables ? [VARIABLES] : []),
        ...(await readOptionNames(db, site, DATASET_PREFIX)).map((name) =>
          name.slice(DATASET_PREFIX.length),
        ),
      ])
    : undefined
  return { locations, datasets }
}

async function readAssignedLocations(db: Db, site: Site): Promise<string[]> {
  const { byTheme, byLanguage } = await readLocationMaps(db, site)
  const inLanguages = [...byLanguage].filter(([, menus]) =>
    [...menus.values()].some((id) => id > 0),
  )
  const inTheme = [...byTheme].filter(([, id]) => id > 0)
  return [...inTheme, ...inLanguages].map(([location]) => location)
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
      .map(
        (embedder): FrameProblem => ({
          frame: embedder.slug,
          id: embedder.id,
          severity: 'error',
          code: 'reference_missing',
          location: null,
          message: `It embeds "${slug}", which this deletes; the insert prints nothing. Remove the insert, or keep the frame.`,
        }),
      ),
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
    .map(
      ({ id, slug }): FrameProblem => ({
        frame: slug,
        id,
        severity: 'warning',
        code: 'frame_unused',
        location: null,
        message: 'It is on no page, and no frame embeds it. Assign it to a page, or remove it.',
      }),
    )
}
