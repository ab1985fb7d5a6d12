import type { Db } from '../../db/database.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { didYouMean } from '../../host/similar.ts'
import { readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { isMenuRef } from '../../wordpress/nav-menus/menu-of-value.ts'
import { listMenus, type Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOptionNames } from '../../wordpress/options/read-options.ts'
import type { MarkupReport, NameInMarkup } from '../markup/markup-report.ts'
import { MARKUP_ERRORS, type MarkupProblemCode, type SourceLocation } from '../markup/nodes.ts'
import { findUnknownField, parsePath } from '../markup/value-path.ts'
import { type FrameGraph, findCycles, type IndexedFrame } from './graph.ts'
import { DATASET_PREFIX } from './option-names.ts'
import { summaryOf } from './record.ts'
import type { FrameName } from './registry.ts'

/** Codes of problems of markup, and of what it names. Those that the doctor reports too have the name of its check. */
type FrameProblemCode =
  | MarkupProblemCode
  | 'reference_missing'
  | 'frame_cycle'
  | 'frame_unused'
  | 'former_name'
  | 'unknown_value'
  | 'unknown_location'
  | 'unknown_menu'
  | 'unknown_dataset'

/** A mistake in a frame that prevents no write. */
export type FrameProblem = {
  /** Slug and id of the frame. */
  readonly frame: string
  readonly id: string
  /** `error`: visitors do not see something that the author meant to print. */
  readonly severity: 'error' | 'warning'
  readonly code: FrameProblemCode
  /** Position in the markup; null for a problem of several frames. */
  readonly location: SourceLocation | null
  /** What is wrong, and what to do. */
  readonly message: string
}

export type CheckedFrame = FrameName & { readonly report: MarkupReport }

/** The same as a frame of a graph, as far as problems need it. */
export function indexedFrame({ id, slug, report }: CheckedFrame): IndexedFrame {
  const unknown = { bytes: 0, sha256: '', created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
  return { id, slug, meta: { ...unknown, ...summaryOf(report) } }
}

const ERRORS: ReadonlySet<FrameProblemCode> = new Set([
  ...MARKUP_ERRORS,
  'reference_missing',
  'frame_cycle',
  'unknown_value',
])

export const frameProblem = (
  { id, slug }: FrameName,
  code: FrameProblemCode,
  message: string,
  location: SourceLocation | null = null,
): FrameProblem => ({
  frame: slug,
  id,
  severity: ERRORS.has(code) ? 'error' : 'warning',
  code,
  location,
  message,
})

/**
 * The problems of frames, in the order of their markup: those of the markup, and names that the site does not have.
 * @param checked frames of the graph
 */
export async function findFrameProblems(
  checked: readonly CheckedFrame[],
  graph: FrameGraph,
  known: KnownNames,
): Promise<FrameProblem[]> {
  await graph.resolveReferences()
  const suggest = createSuggester()
  const problems: FrameProblem[] = []
  for (const frame of checked) {
    const { report } = frame
    const ofFrame = report.problems.map(({ code, message, line, column }) =>
      frameProblem(frame, code, message, { line, column }),
    )
    // A name may be compared with thousands.
    await forEachYielding(report.names, (found) => {
      const { line, column } = found
      for (const [code, message] of findNameProblem(found, graph, known, suggest))
        ofFrame.push(frameProblem(frame, code, message, { line, column }))
    })
    problems.push(...ofFrame.sort(byLocation))
  }
  return [...problems, ...findCycleProblems(checked, graph)]
}

/** Known names are those of a set, or the keys of a map. */
type Suggester = (
  name: string,
  known: Pick<ReadonlyMap<string, unknown>, 'size' | 'keys'>,
) => string

/** Comparisons with known names in one list of problems: markup may name thousands of missing frames on a site with thousands of others. */
export const MAX_COMPARISONS = 20_000

/** Suggests a known name for each unknown one, until it has compared too much. */
function createSuggester(): Suggester {
  let left = MAX_COMPARISONS
  return (name, known) => {
    left -= known.size
    return left < 0 ? '' : didYouMean(name, known.keys())
  }
}

/** The code and the message if markup names something that the site does not have. */
export function findNameProblem(
  { kind, name }: Pick<NameInMarkup, 'kind' | 'name'>,
  { registry }: FrameGraph,
  { locations, menus, datasets }: KnownNames,
  suggest: Suggester = createSuggester(),
): readonly (readonly [FrameProblemCode, string])[] {
  if (kind === 'frame') {
    if (registry.find(name)) return []
    const message = `There is no frame "${name}"; the insert prints nothing.${suggest(name, registry.bySlug)}`
    return [['reference_missing', message]]
  }
  if (kind === 'location') {
    if (!locations || locations.has(name)) return []
    const message = `No menu is assigned to the location "${name}"; it prints nothing.${suggest(name, locations)}`
    return [['unknown_location', message]]
  }
  if (kind === 'menu') {
    if (!menus || isMenuRef(name, menus)) return []
    const known = new Set(menus.map(({ slug }) => slug))
    const message = `There is no menu "${name}"; the insert prints nothing.${suggest(name, known)}`
    return [['unknown_menu', message]]
  }
  const path = parsePath(name)
  if (!path) return []
  const message = findUnknownField(path)
  if (message !== undefined) return [['unknown_value', message]]
  const [dataset = ''] = path.keys
  if (path.root !== 'dataset' || !datasets || datasets.has(dataset)) return []
  const advice = suggest(dataset, datasets)
  return [
    ['unknown_dataset', `The site has no data set "${dataset}"; this prints nothing.${advice}`],
  ]
}

/** Cycles that contain a checked frame, at the first of them. */
function findCycleProblems(checked: readonly CheckedFrame[], graph: FrameGraph): FrameProblem[] {
  const ids = new Set(checked.map(({ id }) => id))
  return findCycles(graph).flatMap((group) => {
    const first = group.find(({ id }) => ids.has(id))
    return first ? frameProblem(first, 'frame_cycle', describeCycle(group)) : []
  })
}

function describeCycle(group: readonly IndexedFrame[]): string {
  const end = 'An insert that would repeat an outer frame prints nothing. Remove one of them.'
  const [first, ...others] = group.map(({ slug }) => `"${slug}"`)
  return others.length === 0
    ? `The frame embeds itself. ${end}`
    : `The frames ${[first, ...others].join(', ')} embed each other. ${end}`
}

const byLocation = (a: FrameProblem, b: FrameProblem): number =>
  (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
  (a.location?.column ?? 0) - (b.location?.column ?? 0)

/** What a site has besides frames. Undefined if it is not known. */
export type KnownNames = {
  /** Locations to which a menu is assigned in some language. */
  readonly locations?: ReadonlySet<string> | undefined
  readonly menus?: readonly Pick<Menu, 'id' | 'slug' | 'name'>[] | undefined
  /** Names of data sets. */
  readonly datasets?: ReadonlySet<string> | undefined
}

/** Reads what the site has of the kinds that the names are of: at most four statements. */
export async function readKnownNames(
  db: Db,
  site: Site,
  names: readonly Pick<NameInMarkup, 'kind' | 'name'>[],
): Promise<KnownNames> {
  const namesLocation = names.some(({ kind }) => kind === 'location')
  const namesDataset = names.some(
    ({ kind, name }) => kind === 'value' && parsePath(name)?.root === 'dataset',
  )
  return {
    locations: namesLocation ? await readAssignedLocations(db, site) : undefined,
    menus: names.some(({ kind }) => kind === 'menu') ? await listMenus(db, site) : undefined,
    datasets: namesDataset ? await readDatasetNames(db, site) : undefined,
  }
}

/** Locations to which a menu is assigned in some language. */
export async function readAssignedLocations(db: Db, site: Site): Promise<Set<string>> {
  const { byTheme, byLanguage } = await readLocationMaps(db, site)
  const inLanguages = [...byLanguage].filter(([, menus]) =>
    [...menus.values()].some((id) => id > 0),
  )
  const inTheme = [...byTheme].filter(([, id]) => id > 0)
  return new Set([...inTheme, ...inLanguages].map(([location]) => location))
}

export async function readDatasetNames(db: Db, site: Site): Promise<Set<string>> {
  const options = await readOptionNames(db, site, DATASET_PREFIX)
  return new Set(options.map((name) => name.slice(DATASET_PREFIX.length)))
}
