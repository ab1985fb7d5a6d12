import type { Change, Touched } from '../change.ts'
import type { FrameGraph, IndexedFrame } from '../frames/graph.ts'
import { INSERTS } from '../markup/inserts/all-inserts.ts'
import type { TouchedContent } from '../markup/inserts/insert-definition.ts'
import { REPORTED_PREFIX } from '../markup/nodes.ts'

/** A frame whose output may have changed, and why. */
export type Dependent = { readonly frame: IndexedFrame; readonly because: readonly string[] }

/**
 * The frames whose output a change may affect, directly or through embedded frames, sorted by slug. `because`
 * lists the touched content (`menus`, `dataset:news`) and the embedded frames that are affected (`frame:header`).
 */
export function findDependents(
  graph: FrameGraph,
  { touched, all = false }: Pick<Change, 'touched' | 'all'>,
): Dependent[] {
  const because = new Map<string, Set<string>>()
  const add = (id: string, reason: string): void => {
    because.set(id, (because.get(id) ?? new Set()).add(reason))
  }
  for (const content of touched) {
    for (const { id } of directDependents(graph, content)) add(id, reasonOf(content))
  }
  // The loop also processes the ids that it adds: the embedders of each frame.
  for (const id of because.keys()) {
    const frame = graph.get(id)
    if (!frame) continue
    for (const embedder of graph.embeddersOf([id])) add(embedder.id, `frame:${frame.slug}`)
  }
  if (all) for (const { id } of graph.all()) add(id, 'all')
  const dependents = [...because].flatMap(([id, reasons]) => {
    const frame = graph.get(id)
    return frame ? [{ frame, because: [...reasons].sort() }] : []
  })
  return dependents.sort((a, b) => (a.frame.slug < b.frame.slug ? -1 : 1))
}

function directDependents(graph: FrameGraph, touched: Touched): IndexedFrame[] {
  if (touched.kind === 'frame') return graph.embeddersOf([touched.id, ...touched.slugs])
  return graph.all().filter((frame) => reads(frame, touched))
}

function reads(frame: IndexedFrame, touched: Exclude<Touched, { kind: 'frame' }>): boolean {
  const { sources } = frame.meta
  if (touched.kind === 'dataset') return sources.includes(`dataset.${touched.name}`)
  return (
    hasInsertShowing(frame, touched.kind) ||
    sources.some((name) =>
      SOURCES_OF[touched.kind].some((root) => name === root || name.startsWith(`${root}.`)),
    )
  )
}

/** Whether the frame's own markup has an insert that shows such content. */
export function hasInsertShowing({ meta }: IndexedFrame, content: TouchedContent): boolean {
  return INSERTS.some(
    ({ shows, kinds }) =>
      shows.includes(content) &&
      kinds.some((kind) => (meta.inserts[`${REPORTED_PREFIX}${kind}`] ?? 0) > 0),
  )
}

/** The sources that show such content. Menus show titles and URLs of pages, and a language's home may be the URL of a page. */
const SOURCES_OF: Readonly<Record<TouchedContent, readonly string[]>> = {
  menus: ['menu'],
  pages: ['menu', 'page', 'pages', 'languages', 'site.url'],
  languages: ['menu', 'page', 'pages', 'languages', 'site'],
  settings: ['menu', 'page', 'pages', 'languages', 'site', 'settings'],
}

function reasonOf(touched: Touched): string {
  if (touched.kind === 'dataset') return `dataset:${touched.name}`
  if (touched.kind === 'frame') return `frame:${touched.slugs.at(-1) ?? touched.id}`
  return touched.kind
}
