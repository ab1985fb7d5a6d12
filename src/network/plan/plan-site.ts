import { findChangedDependents, type WrittenMenus } from '../../build/baking/written-menus.ts'
import type { FrameProblem } from '../../content/frames/find-problems.ts'
import { listFramePages } from '../../content/frames/frame-pages.ts'
import type { FrameGraph } from '../../content/frames/graph.ts'
import { namesOf, type Work, workOn, workOnEmbedders } from '../../content/work/work.ts'
import type { Db } from '../../db/database.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { DesiredSite } from '../description/desired-site.ts'
import type { PlanContext, RefusedProblems } from './plan-context.ts'
import { type PlannedDataset, planDataset, VARIABLES } from './plan-dataset.ts'
import { type PlannedFrames, planFrames } from './plan-frames.ts'
import { type PlannedMenus, planMenus } from './plan-menus.ts'
import { type PlannedPageFrames, planPages } from './plan-pages.ts'
import { findPlanProblems } from './plan-problems.ts'
import {
  digestOfSteps,
  type PlannedPages,
  type PlanProblem,
  type SitePlan,
  type Step,
} from './site-plan.ts'

/** What a site lacks, with everything that is needed to write it. */
export type PlannedWrites = {
  readonly frames: PlannedFrames
  readonly menus: PlannedMenus
  readonly pages: PlannedPageFrames
  readonly dataset: PlannedDataset
  readonly steps: readonly Step[]
  readonly plan: Omit<SitePlan, 'pages'>
}

/** Pages that a plan lists. */
const MAX_LISTED_PAGES = 20

/** Compares a site with its desired state. Nothing is written or locked. */
export async function planSite(
  db: Db,
  site: Site,
  desired: DesiredSite,
  context: PlanContext,
): Promise<SitePlan> {
  const writes = await planWrites(db, site, desired, context)
  return { ...writes.plan, pages: await findPlannedPages(db, site, writes) }
}

/** What the transaction that writes a plan knows already. */
type KnownOfSite = {
  /** The plan of the menus. */
  readonly menus?: PlannedMenus | undefined
  /** The graph of the locked frames. */
  readonly graph?: FrameGraph
}

/** The same for a transaction that writes the plan; pages that follow are not searched. */
export async function planWrites(
  db: Db,
  site: Site,
  desired: DesiredSite,
  context: PlanContext,
  known: KnownOfSite = {},
): Promise<PlannedWrites> {
  const [frames, menus, dataset] = await Promise.all([
    planFrames(db, site, desired, context, known.graph),
    known.menus ?? planMenus(db, site, desired, context),
    planDataset(db, site, desired, context),
  ])
  const pages = await planPages(db, site, desired, frames, menus.context?.links)
  const steps = [...frames.steps, ...menus.steps, ...pages.steps, ...dataset.steps]
  const found =
    context.refuses === undefined || steps.length === 0
      ? []
      : await findPlanProblems(db, site, desired, frames, context.markup)
  const problems = [...frames.problems, ...menus.problems, ...pages.problems]
  const refused = REFUSED[context.refuses ?? 'nothing']
  const isRefused = ({ severity }: FrameProblem) => refused.has(severity)
  const plan = {
    steps,
    problems: [...problems, ...found.filter(isRefused).map(presentProblem)],
    // An equal frame under another name may be intended, so it is never refused.
    warnings: [
      ...(desired.warnings ?? []),
      ...menus.warnings,
      ...[
        ...(context.refuses ? frames.suspects : []),
        ...found.filter((one) => !isRefused(one)),
      ].map(presentProblem),
    ],
    digest: digestOfSteps(steps),
  }
  return { frames, menus, pages, dataset, steps, plan }
}

const REFUSED: Readonly<Record<RefusedProblems, ReadonlySet<FrameProblem['severity']>>> = {
  nothing: new Set(),
  errors: new Set(['error']),
  warnings: new Set(['error', 'warning']),
}

function presentProblem({ frame, code, location, message }: FrameProblem): PlanProblem {
  const position = location ? `Line ${location.line}, column ${location.column}: ` : ''
  return { kind: 'frame', name: frame, reason: code, message: `${position}${message}` }
}

/** The work on what shows the writes of a plan. @param idOf the id of a written frame, by its slug */
export function workOfWrites(
  { frames, menus, dataset }: PlannedWrites,
  idOf: (slug: string) => string | undefined,
): Work[] {
  return [
    ...frames.writes.flatMap(({ current, slug }) => {
      const id = idOf(slug)
      return id === undefined ? [] : workOnEmbedders(id, current ? [current.slug, slug] : [slug])
    }),
    ...frames.deletions.flatMap(({ id, slug }) => workOnEmbedders(id, [slug])),
    ...(menus.steps.length > 0 ? workOn('menus') : []),
    ...(dataset.text === undefined ? [] : workOn('dataset', [VARIABLES])),
  ]
}

/** The pages on the written frames and on frames that depend on what is written, and the pages that get another frame. */
async function findPlannedPages(db: Db, site: Site, writes: PlannedWrites): Promise<PlannedPages> {
  if (writes.steps.length === 0) return { total: 0, ids: [] }
  const graph = await writes.frames.graph()
  const idOf = (slug: string) =>
    writes.frames.writes.find((write) => write.slug === slug)?.current?.id
  const work = workOfWrites(writes, idOf)
  // Of the names of embedded frames, only the ids have pages.
  const frames = new Set([
    ...namesOf('embeds', work),
    ...(await findChangedDependents(db, site, graph, work, menusOf(writes.menus))).map(
      ({ frame }) => frame.id,
    ),
  ])
  const ids = new Set(writes.pages.writes.map(({ pageId }) => pageId))
  if (frames.size > 0)
    for (const [frame, pages] of await listFramePages(db, site))
      if (frames.has(frame)) for (const page of pages) ids.add(page)
  const sorted = [...ids].sort((a, b) => a - b)
  return { total: sorted.length, ids: sorted.slice(0, MAX_LISTED_PAGES) }
}

function menusOf({ writes, deletions, locations }: PlannedMenus): WrittenMenus {
  const written = writes.flatMap(({ before }) => before?.menu ?? [])
  const changed = [...locations.assigned.map(({ assignment }) => assignment), ...locations.cleared]
  return {
    ids: new Set([...written, ...deletions].map(({ id }) => id)),
    locations: new Set(changed.map(({ location }) => location)),
    changesNames:
      deletions.length > 0 ||
      writes.some(
        ({ before, name, slug }) => before?.menu.name !== name || before.menu.slug !== slug,
      ),
  }
}
