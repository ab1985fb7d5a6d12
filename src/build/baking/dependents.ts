import type { FrameGraph, IndexedFrame } from '../../content/frames/graph.ts'
import { INSERTS } from '../../content/markup/inserts/all-inserts.ts'
import { REPORTED_PREFIX } from '../../content/markup/nodes.ts'
import type { Work } from '../../content/work/work.ts'

/** A frame whose output may have changed, and why. */
export type Dependent = { readonly frame: IndexedFrame; readonly because: readonly string[] }

/**
 * The frames whose output may change if work touches what they show, directly or through embedded frames, sorted by slug. `because` lists the
 * touched content (`menus`, `dataset:news`) and the embedded frames that are affected (`frame:header`).
 * @param showsTouched of frames that show menus, which show a touched one [all]
 */
export function findDependents(
  graph: FrameGraph,
  work: readonly Work[],
  showsTouched: (frame: IndexedFrame) => boolean = () => true,
): Dependent[] {
  const because = new Map<string, Set<string>>()
  const add = (frames: readonly IndexedFrame[], reason: string): void => {
    for (const { id } of frames) because.set(id, (because.get(id) ?? new Set()).add(reason))
  }
  for (const one of work) {
    const { kind, name, slug = name } = one
    const content = contentOf(one)
    if (kind === 'embeds') add(graph.embeddersOf([name]), `frame:${slug}`)
    else if (kind === 'menus') add(readersOf(graph, content).filter(showsTouched), content)
    else add(readersOf(graph, content), content)
  }
  // The loop also processes the ids that it adds: the embedders of each frame.
  for (const id of because.keys()) {
    const frame = graph.get(id)
    if (frame) add(graph.embeddersOf([id]), `frame:${frame.slug}`)
  }
  if (work.some(({ kind }) => kind === 'all')) add(graph.all(), 'all')
  const dependents = [...because].flatMap(([id, reasons]) => {
    const frame = graph.get(id)
    return frame ? [{ frame, because: [...reasons].sort() }] : []
  })
  return dependents.sort((a, b) => (a.frame.slug < b.frame.slug ? -1 : 1))
}

/** What work touches: `menus`, `dataset:news`. */
function contentOf({ kind, name }: Work): string {
  if (kind === 'outdated') return name
  return kind === 'dataset' ? `dataset:${name}` : kind
}

/** The frames whose own markup shows such content. */
export function readersOf(graph: FrameGraph, content: string): readonly IndexedFrame[] {
  const roots = content.startsWith('dataset:')
    ? [content.replace(':', '.')]
    : (SOURCES_OF[content] ?? [])
  if (roots.length === 0) return []
  const isRead = (name: string) =>
    roots.some((root) => name === root || name.startsWith(`${root}.`))
  return graph
    .all()
    .filter((frame) => hasInsertShowing(frame, content) || frame.meta.sources.some(isRead))
}

/** Whether the frame's own markup has an insert that shows such content. */
export function hasInsertShowing({ meta }: IndexedFrame, content: string): boolean {
  return INSERTS.some(
    ({ shows, kinds }) =>
      shows.some((shown) => shown === content) &&
      kinds.some((kind) => (meta.inserts[`${REPORTED_PREFIX}${kind}`] ?? 0) > 0),
  )
}

/** Whether the frame's own markup shows menus. */
export const showsMenus = (frame: IndexedFrame): boolean =>
  hasInsertShowing(frame, 'menus') ||
  frame.meta.sources.some((name) => name === 'menu' || name.startsWith('menu.'))

/** The sources that show such content. Menus show titles and URLs of pages, and a language's home may be the URL of a page. */
const SOURCES_OF: Readonly<Record<string, readonly string[]>> = {
  menus: ['menu'],
  pages: ['menu', 'page', 'pages', 'languages', 'site.url'],
  languages: ['menu', 'page', 'pages', 'languages', 'site'],
  settings: ['menu', 'page', 'pages', 'languages', 'site', 'settings'],
}
