import { findDependents, hasInsertShowing } from '../../baking/dependents.ts'
import type { FrameGraph, IndexedFrame } from '../../frames/graph.ts'
import { workOnEmbedders } from '../../work/work.ts'

/** What frames depend on, and what depends on them. Keys begin with the kind: `frame:5158798bd2006010`, `missing:card`, `page:12`. */
export type GraphPart =
  | { readonly key: string; readonly kind: 'frame'; readonly frame: IndexedFrame }
  /** A reference to a frame that does not exist. */
  | { readonly key: string; readonly kind: 'missing'; readonly name: string }
  /** Undefined: menus that inserts name by id or slug. */
  | { readonly key: string; readonly kind: 'menu'; readonly location: string | undefined }
  | { readonly key: string; readonly kind: 'data'; readonly source: string }
  | { readonly key: string; readonly kind: 'page'; readonly id: number }

type GraphEdge = {
  readonly from: string
  readonly to: string
  readonly kind: 'embeds' | 'shows' | 'reads' | 'uses'
}

export type GraphParts = {
  readonly parts: readonly GraphPart[]
  readonly edges: readonly GraphEdge[]
  /** Whether parts or edges were left out. */
  readonly isTruncated: boolean
}

/** The frame, those that it embeds, and those that embed it, first directly, then through others. */
export function framesAround(graph: FrameGraph, frame: IndexedFrame): IndexedFrame[] {
  const { id, slug } = frame
  const dependents = findDependents(graph, workOnEmbedders(id, [slug]))
  return [
    ...new Set([
      frame,
      ...graph.embeddedFrames(id),
      ...graph.embeddersOf([id]),
      ...dependents.map((dependent) => dependent.frame),
    ]),
  ]
}

/** Of the parts, frames may be this share, so that there is room for what they show and for pages. */
const FRAME_SHARE = 0.6

/**
 * The parts around frames, in this order: the frames, missing frames, menus, data; and pages after those of all groups. As many as the limits
 * allow, and the edges between them.
 * @param groups of frames, the most important first; one group can contain the frames of another
 * @param pages ids of the pages on each frame
 */
export function graphPartsOf(
  graph: FrameGraph,
  groups: readonly (readonly IndexedFrame[])[],
  pages: ReadonlyMap<string, readonly number[]>,
  limits: { readonly parts: number; readonly edges: number },
): GraphParts {
  const parts = new Map<string, GraphPart>()
  const edges = new Map<string, GraphEdge>()
  let isTruncated = false
  const add = (part: GraphPart): boolean => {
    if (parts.has(part.key)) return true
    if (parts.size >= limits.parts) isTruncated = true
    else parts.set(part.key, part)
    return parts.has(part.key)
  }
  const connect = (from: string, to: GraphPart, kind: GraphEdge['kind']): void => {
    if (!parts.has(from) || !add(to)) return
    addEdge({ from, to: to.key, kind })
  }
  const addEdge = (edge: GraphEdge): void => {
    const key = `${edge.from} ${edge.to}`
    if (edges.size >= limits.edges && !edges.has(key)) isTruncated = true
    else edges.set(key, edge)
  }
  const all = [...new Set(groups.flat())]
  const frames = new Set(all.slice(0, Math.ceil(limits.parts * FRAME_SHARE)))
  if (all.length > frames.size) isTruncated = true
  const isShown = ({ id }: IndexedFrame): boolean => parts.has(`frame:${id}`)
  for (const group of groups) {
    for (const frame of group) if (frames.has(frame)) add(framePart(frame))
    const shown = group.filter(isShown)
    for (const frame of shown) {
      // Around one frame, others that a frame embeds besides are left out.
      for (const part of embeddedParts(graph, frame))
        if (part.kind !== 'frame' || frames.has(part.frame))
          connect(`frame:${frame.id}`, part, 'embeds')
    }
    for (const frame of shown)
      for (const part of menuParts(frame)) connect(`frame:${frame.id}`, part, 'shows')
    for (const frame of shown)
      for (const part of dataParts(frame)) connect(`frame:${frame.id}`, part, 'reads')
  }
  for (const { id: frame } of [...frames].filter(isShown)) {
    for (const id of pages.get(frame) ?? []) {
      const page: GraphPart = { key: `page:${id}`, kind: 'page', id }
      if (!add(page)) break
      addEdge({ from: page.key, to: `frame:${frame}`, kind: 'uses' })
    }
  }
  return { parts: [...parts.values()], edges: [...edges.values()], isTruncated }
}

const framePart = (frame: IndexedFrame): GraphPart & { readonly kind: 'frame' } => ({
  key: `frame:${frame.id}`,
  kind: 'frame',
  frame,
})

function embeddedParts(graph: FrameGraph, { meta }: IndexedFrame): GraphPart[] {
  return meta.references.flatMap((ref): GraphPart[] => {
    const name = graph.registry.find(ref)
    if (!name) return [{ key: `missing:${ref}`, kind: 'missing', name: ref }]
    const frame = graph.get(name.id)
    return frame ? [framePart(frame)] : []
  })
}

function menuParts(frame: IndexedFrame): GraphPart[] {
  const locations = frame.meta.sources.flatMap((source) => /^menu\.(.+)$/.exec(source)?.[1] ?? [])
  const named = locations.map(
    (location): GraphPart => ({ key: `menu:${location}`, kind: 'menu', location }),
  )
  if (named.length > 0 || !hasInsertShowing(frame, 'menus')) return named
  return [{ key: 'menu:', kind: 'menu', location: undefined }]
}

/** Each data set is a part of its own; of other sources only the kind: `site`, `settings`, `page`, `pages`, `languages`. */
function dataParts({ meta }: IndexedFrame): GraphPart[] {
  const sources = meta.sources
    .map((source) => (source.startsWith('dataset.') ? source : source.replace(/\..*$/s, '')))
    .filter((source) => source !== 'menu')
  return [...new Set(sources)].map(
    (source): GraphPart => ({ key: `data:${source}`, kind: 'data', source }),
  )
}
